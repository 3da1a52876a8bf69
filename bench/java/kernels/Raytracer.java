// SPDX-License-Identifier: Apache-2.0
package kernels;

/**
 * The ray tracer of the Java Grande suite: 64 spheres, five lights, reflections; thread t renders the lines t, t +
 * threads, ... The picture is size x size (size A of the suite: 150). The scene is read by all threads, millions of
 * times.
 */
final class Raytracer extends Kernel {
    static final int SIZE = 150;
    static final int REDUCED = 25;
    private static final long CHECKSUM = 4390495;
    private static final int GRID = 4;
    private static final int DEPTH = 6;
    private static final double EPSILON = 1e-6;

    private static final class Sphere {
        Vec centre;
        double radius;
        double red;
        double green;
        double blue;
        double shine;
        double mirror;
    }

    private static final class Light {
        Vec position;
        double brightness;
    }

    private static final class Hit {
        Sphere sphere;
        double distance;
    }

    private final Sphere[] spheres = new Sphere[GRID * GRID * GRID];
    private final Light[] lights = new Light[5];
    private final Vec eye = new Vec(0, 0, -30);
    private long checksum;

    Raytracer(int threads, int size) {
        super(threads, size);
        for (int i = 0; i < spheres.length; i++) {
            Sphere s = new Sphere();
            int x = i % GRID;
            int y = i / GRID % GRID;
            int z = i / GRID / GRID;
            s.centre = new Vec(20.0 / (GRID - 1) * x - 10, 20.0 / (GRID - 1) * y - 10, 20.0 / (GRID - 1) * z - 10);
            s.radius = 3;
            s.red = (x + 1.0) / GRID;
            s.green = (y + 1.0) / GRID;
            s.blue = (z + 1.0) / GRID;
            s.shine = 15;
            s.mirror = 0.5;
            spheres[i] = s;
        }
        double[][] places = {{100, 100, -50}, {-100, 100, -50}, {100, -100, -50}, {-100, -100, -50}, {200, 200, 0}};
        for (int i = 0; i < lights.length; i++) {
            lights[i] = new Light();
            lights[i].position = new Vec(places[i][0], places[i][1], places[i][2]);
            lights[i].brightness = 0.3;
        }
    }

    private Hit nearest(Vec from, Vec direction) {
        Hit hit = null;
        for (Sphere s : spheres) {
            Vec v = s.centre.minus(from);
            double b = v.dot(direction);
            double d = b * b - v.dot(v) + s.radius * s.radius;
            if (d < 0)
                continue;
            d = Math.sqrt(d);
            double t = b - d > EPSILON ? b - d : b + d;
            if (t > EPSILON && (hit == null || t < hit.distance)) {
                if (hit == null)
                    hit = new Hit();
                hit.sphere = s;
                hit.distance = t;
            }
        }
        return hit;
    }

    private Vec trace(Vec from, Vec direction, int depth) {
        Hit hit = depth < DEPTH ? nearest(from, direction) : null;
        if (hit == null)
            return new Vec(0, 0, 0);
        Vec point = from.plus(hit.distance, direction);
        Sphere s = hit.sphere;
        Vec normal = point.minus(s.centre).unit();
        Vec reflected = direction.mirrored(normal);
        Vec colour = new Vec(0.1 * s.red, 0.1 * s.green, 0.1 * s.blue);
        for (Light light : lights) {
            Vec toLight = light.position.minus(point).unit();
            double cosine = normal.dot(toLight);
            if (cosine <= 0 || nearest(point, toLight) != null)
                continue;
            double diffuse = cosine * light.brightness;
            double along = Math.max(0, reflected.dot(toLight));
            double spot = Math.pow(along, s.shine) * light.brightness;
            colour = colour.plus(diffuse, new Vec(s.red, s.green, s.blue)).plus(spot, new Vec(1, 1, 1));
        }
        return colour.plus(s.mirror, trace(point, reflected, depth + 1));
    }

    private static int eightBits(double value) {
        return (int) Math.min(255, value * 255);
    }

    @Override
    void run(int id) {
        long sum = 0;
        int[] line = new int[size];
        for (int y = id; y < size; y += threads) {
            for (int x = 0; x < size; x++) {
                Vec direction = new Vec((x + 0.5) / size - 0.5, (y + 0.5) / size - 0.5, 0.8).unit();
                Vec colour = trace(eye, direction, 0);
                line[x] = eightBits(colour.x) << 16 | eightBits(colour.y) << 8 | eightBits(colour.z);
            }
            for (int pixel : line)
                sum += (pixel >> 16) + (pixel >> 8 & 255) + (pixel & 255);
        }
        synchronized (this) {
            checksum += sum;
        }
    }

    @Override
    void check() {
        expect(checksum > 0, "the picture is black");
        if (size == SIZE)
            expect(Math.abs(checksum - CHECKSUM) <= 10, "the checksum is " + checksum + ", not " + CHECKSUM);
    }
}
