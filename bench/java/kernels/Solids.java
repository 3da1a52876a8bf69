// SPDX-License-Identifier: Apache-2.0
package kernels;

/**
 * A ray tracer of Raja's kind: a scene of solids and lights behind abstract classes, materials, shadows and
 * reflections. Workers take tiles of the picture out of a queue and put their pixels into one array; how far they are
 * is counted under a monitor. The picture is size x size.
 */
final class Solids extends Kernel {
    static final int SIZE = 256;
    static final int REDUCED = 64;
    private static final long CHECKSUM = 17299997;
    private static final int TILE = 16;
    private static final int DEPTH = 5;
    private static final double FAR = 1e9;
    private static final double NEAR = 1e-6;

    private static final class Material {
        Vec colour;
        double ambient = 0.1;
        double diffuse = 0.7;
        double mirror;

        Material(Vec colour, double mirror) {
            this.colour = colour;
            this.mirror = mirror;
        }
    }

    private abstract static class Solid {
        Material material;

        /** How far along the ray it is met; FAR if it is not. */
        abstract double meets(Vec from, Vec direction);

        abstract Vec normal(Vec point);

        Vec colour(Vec point) {
            return material.colour;
        }
    }

    private static final class Ball extends Solid {
        Vec centre;
        double radius;

        Ball(Vec centre, double radius) {
            this.centre = centre;
            this.radius = radius;
        }

        @Override
        double meets(Vec from, Vec direction) {
            Vec v = centre.minus(from);
            double b = v.dot(direction);
            double d = b * b - v.dot(v) + radius * radius;
            if (d < 0)
                return FAR;
            double root = Math.sqrt(d);
            if (b - root > NEAR)
                return b - root;
            return b + root > NEAR ? b + root : FAR;
        }

        @Override
        Vec normal(Vec point) {
            return point.minus(centre).unit();
        }
    }

    /** A floor with a pattern of squares. */
    private static final class Floor extends Solid {
        double height;
        Vec other = new Vec(0.1, 0.1, 0.1);

        Floor(double height) {
            this.height = height;
        }

        @Override
        double meets(Vec from, Vec direction) {
            double t = (height - from.y) / direction.y;
            return t > NEAR && t < FAR ? t : FAR;
        }

        @Override
        Vec normal(Vec point) {
            return new Vec(0, 1, 0);
        }

        @Override
        Vec colour(Vec point) {
            return (Math.floor(point.x) + Math.floor(point.z)) % 2 == 0 ? material.colour : other;
        }
    }

    /** A box whose faces stand along the axes. */
    private static final class Box extends Solid {
        double[] low;
        double[] high;

        Box(double[] low, double[] high) {
            this.low = low;
            this.high = high;
        }

        @Override
        double meets(Vec from, Vec direction) {
            double[] f = {from.x, from.y, from.z};
            double[] d = {direction.x, direction.y, direction.z};
            double enter = -FAR;
            double leave = FAR;
            for (int i = 0; i < 3; i++) {
                double a = (low[i] - f[i]) / d[i];
                double b = (high[i] - f[i]) / d[i];
                enter = Math.max(enter, Math.min(a, b));
                leave = Math.min(leave, Math.max(a, b));
            }
            if (enter > leave)
                return FAR;
            if (enter > NEAR)
                return enter;
            return leave > NEAR ? leave : FAR;
        }

        @Override
        Vec normal(Vec point) {
            double[] p = {point.x, point.y, point.z};
            int axis = 0;
            double sign = 1;
            double best = FAR;
            for (int i = 0; i < 3; i++) {
                double toLow = Math.abs(p[i] - low[i]);
                double toHigh = Math.abs(p[i] - high[i]);
                if (Math.min(toLow, toHigh) < best) {
                    best = Math.min(toLow, toHigh);
                    axis = i;
                    sign = toLow < toHigh ? -1 : 1;
                }
            }
            return new Vec(axis == 0 ? sign : 0, axis == 1 ? sign : 0, axis == 2 ? sign : 0);
        }
    }

    private static final class Queue {
        private int next;
        private final int end;

        Queue(int end) {
            this.end = end;
        }

        synchronized int take() {
            return next < end ? next++ : -1;
        }
    }

    private static final class Progress {
        private int tiles;

        synchronized void add() {
            tiles++;
        }

        synchronized int get() {
            return tiles;
        }
    }

    private final Solid[] solids;
    private final Vec[] lights = {new Vec(-6, 9, -8), new Vec(8, 7, -3)};
    private final Vec eye = new Vec(0, 1.5, -8);
    private final int[] picture;
    private final int across;
    private final Queue queue;
    private final Progress progress = new Progress();

    Solids(int threads, int size) {
        super(threads, size);
        solids = new Solid[14];
        solids[0] = new Floor(-1);
        solids[0].material = new Material(new Vec(0.9, 0.9, 0.8), 0.1);
        solids[1] = new Box(new double[] {-3, -1, 1}, new double[] {-1.5, 1.2, 2.5});
        solids[1].material = new Material(new Vec(0.8, 0.3, 0.2), 0.2);
        for (int i = 2; i < solids.length; i++) {
            double angle = i * 2 * Math.PI / (solids.length - 2);
            solids[i] = new Ball(new Vec(2.6 * Math.cos(angle), 0.4 + 0.7 * Math.sin(3 * angle), 1 + 2.6 * Math.sin(angle)), 0.6);
            solids[i].material = new Material(new Vec(0.3 + 0.05 * i, 0.9 - 0.05 * i, 0.5), 0.4);
        }
        picture = new int[size * size];
        across = (size + TILE - 1) / TILE;
        queue = new Queue(across * across);
    }

    private boolean shadowed(Vec point, Vec toLight, double distance) {
        for (Solid solid : solids)
            if (solid.meets(point, toLight) < distance)
                return true;
        return false;
    }

    private Vec trace(Vec from, Vec direction, int depth) {
        Solid nearest = null;
        double distance = FAR;
        for (Solid solid : solids) {
            double t = solid.meets(from, direction);
            if (t < distance) {
                distance = t;
                nearest = solid;
            }
        }
        if (nearest == null)
            return new Vec(0.3, 0.4, 0.6);
        Vec point = from.plus(distance, direction);
        Vec normal = nearest.normal(point);
        Material material = nearest.material;
        Vec own = nearest.colour(point);
        double brightness = material.ambient;
        for (Vec light : lights) {
            Vec way = light.minus(point);
            Vec toLight = way.unit();
            double cosine = normal.dot(toLight);
            if (cosine > 0 && !shadowed(point, toLight, Math.sqrt(way.dot(way))))
                brightness += material.diffuse * cosine / lights.length;
        }
        Vec colour = new Vec(brightness * own.x, brightness * own.y, brightness * own.z);
        return depth == DEPTH ? colour : colour.plus(material.mirror, trace(point, direction.mirrored(normal), depth + 1));
    }

    private static int eightBits(double value) {
        return (int) Math.min(255, value * 255);
    }

    private void render(int tile) {
        int left = tile % across * TILE;
        int top = tile / across * TILE;
        for (int y = top; y < Math.min(size, top + TILE); y++)
            for (int x = left; x < Math.min(size, left + TILE); x++) {
                Vec direction = new Vec((x + 0.5) / size - 0.5, 0.4 - (y + 0.5) / size, 0.9).unit();
                Vec colour = trace(eye, direction, 0);
                picture[y * size + x] = eightBits(colour.x) << 16 | eightBits(colour.y) << 8 | eightBits(colour.z);
            }
    }

    @Override
    void run(int id) {
        for (int tile = queue.take(); tile >= 0; tile = queue.take()) {
            render(tile);
            progress.add();
        }
    }

    @Override
    void check() {
        expect(progress.get() == across * across, "tiles are missing");
        long sum = 0;
        for (int pixel : picture)
            sum += (pixel >> 16) + (pixel >> 8 & 255) + (pixel & 255);
        expect(sum > 0, "the picture is black");
        if (size == SIZE)
            expect(Math.abs(sum - CHECKSUM) <= 10, "the checksum is " + sum + ", not " + CHECKSUM);
    }
}
