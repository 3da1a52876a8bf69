// SPDX-License-Identifier: Apache-2.0
package kernels;

/**
 * Molecular dynamics as in the Java Grande suite: particles in a periodic box under a Lennard-Jones potential,
 * velocity Verlet. Each thread adds the forces of its pairs in arrays of its own; behind a barrier each sums up all
 * arrays for its particles. The box has 4 size^3 particles (size A of the suite: 8).
 */
final class Moldyn extends Kernel {
    static final int SIZE = 8;
    static final int REDUCED = 4;
    private static final int STEPS = 50;
    private static final double DENSITY = 0.83134;
    private static final double STEP = 0.002;
    private static final double CUTOFF = 2.5;
    private static final double SPEED = 1.2;

    private static final class Particle {
        double x;
        double y;
        double z;
        double vx;
        double vy;
        double vz;
        double fx;
        double fy;
        double fz;
    }

    private final int n;
    private final double side;
    private final Particle[] particles;
    private final double[][] forces; // of each thread: x, y, z of every particle
    private final double[] potential; // of each thread, in the present step
    private double firstEnergy;
    private double lastEnergy;

    Moldyn(int threads, int size) {
        super(threads, size);
        n = 4 * size * size * size;
        side = Math.cbrt(n / DENSITY);
        particles = new Particle[n];
        forces = new double[threads][3 * n];
        potential = new double[threads];
        lattice();
    }

    /** Four particles in each cell of a face-centred cubic lattice, with random velocities whose sum is 0. */
    private void lattice() {
        Lcg random = new Lcg(7);
        double cell = side / size;
        double[][] corners = {{0, 0, 0}, {0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0}};
        int next = 0;
        for (int i = 0; i < size; i++)
            for (int j = 0; j < size; j++)
                for (int k = 0; k < size; k++)
                    for (double[] corner : corners) {
                        Particle p = new Particle();
                        p.x = (i + corner[0]) * cell;
                        p.y = (j + corner[1]) * cell;
                        p.z = (k + corner[2]) * cell;
                        p.vx = SPEED * (2 * random.next() - 1);
                        p.vy = SPEED * (2 * random.next() - 1);
                        p.vz = SPEED * (2 * random.next() - 1);
                        particles[next++] = p;
                    }
        double[] mean = momentum();
        for (Particle p : particles) {
            p.vx -= mean[0] / n;
            p.vy -= mean[1] / n;
            p.vz -= mean[2] / n;
        }
    }

    private double[] momentum() {
        double[] sum = new double[3];
        for (Particle p : particles) {
            sum[0] += p.vx;
            sum[1] += p.vy;
            sum[2] += p.vz;
        }
        return sum;
    }

    private double nearest(double distance) {
        if (distance < -0.5 * side)
            return distance + side;
        return distance > 0.5 * side ? distance - side : distance;
    }

    private double inside(double position) {
        if (position < 0)
            return position + side;
        return position >= side ? position - side : position;
    }

    private void pairForces(int id) {
        double[] mine = forces[id];
        java.util.Arrays.fill(mine, 0);
        double energy = 0;
        for (int i = id; i < n; i += threads) {
            Particle p = particles[i];
            double fx = 0;
            double fy = 0;
            double fz = 0;
            for (int j = i + 1; j < n; j++) {
                Particle q = particles[j];
                double dx = nearest(p.x - q.x);
                double dy = nearest(p.y - q.y);
                double dz = nearest(p.z - q.z);
                double r2 = dx * dx + dy * dy + dz * dz;
                if (r2 > CUTOFF * CUTOFF)
                    continue;
                double i2 = 1 / r2;
                double i6 = i2 * i2 * i2;
                energy += 4 * (i6 * i6 - i6);
                double f = 48 * i2 * (i6 * i6 - 0.5 * i6);
                fx += f * dx;
                fy += f * dy;
                fz += f * dz;
                mine[3 * j] -= f * dx;
                mine[3 * j + 1] -= f * dy;
                mine[3 * j + 2] -= f * dz;
            }
            mine[3 * i] += fx;
            mine[3 * i + 1] += fy;
            mine[3 * i + 2] += fz;
        }
        potential[id] = energy;
    }

    private void sumForces(int from, int to) {
        for (int i = from; i < to; i++) {
            double x = 0;
            double y = 0;
            double z = 0;
            for (double[] some : forces) {
                x += some[3 * i];
                y += some[3 * i + 1];
                z += some[3 * i + 2];
            }
            Particle p = particles[i];
            p.fx = x;
            p.fy = y;
            p.fz = z;
        }
    }

    private void kick(int from, int to) {
        for (int i = from; i < to; i++) {
            Particle p = particles[i];
            p.vx += 0.5 * STEP * p.fx;
            p.vy += 0.5 * STEP * p.fy;
            p.vz += 0.5 * STEP * p.fz;
        }
    }

    private void drift(int from, int to) {
        for (int i = from; i < to; i++) {
            Particle p = particles[i];
            p.x = inside(p.x + STEP * p.vx);
            p.y = inside(p.y + STEP * p.vy);
            p.z = inside(p.z + STEP * p.vz);
        }
    }

    private double energy() {
        double sum = 0;
        for (Particle p : particles)
            sum += 0.5 * (p.vx * p.vx + p.vy * p.vy + p.vz * p.vz);
        for (double one : potential)
            sum += one;
        return sum;
    }

    @Override
    void run(int id) {
        int from = first(n, id);
        int to = first(n, id + 1);
        pairForces(id);
        barrier.await();
        sumForces(from, to);
        if (id == 0)
            firstEnergy = energy();
        barrier.await();
        for (int step = 0; step < STEPS; step++) {
            kick(from, to);
            drift(from, to);
            barrier.await();
            pairForces(id);
            barrier.await();
            sumForces(from, to);
            kick(from, to);
            barrier.await();
        }
        if (id == 0)
            lastEnergy = energy();
    }

    @Override
    void check() {
        expect(Math.abs(lastEnergy - firstEnergy) < 2e-3 * Math.abs(firstEnergy),
            "the energy went from " + firstEnergy + " to " + lastEnergy);
        for (double one : momentum())
            expect(Math.abs(one) < 1e-8, "the momentum is " + one);
    }
}
