/* SPDX-License-Identifier: Apache-2.0
 *
 * Molecular dynamics as Java Grande describes it: moldyn [SIZE [STEPS [THREADS]]], 4 SIZE^3 particles in a periodic box
 * under a Lennard-Jones potential, velocity Verlet.  A thread adds up the forces of its pairs in an array of its own;
 * behind a barrier each sums all arrays for its particles.  Positions are read by all and written by one, in turns.
 *
 * The check: energy is conserved, and so is the momentum, which is zero.
 *
 * Reduced: 3 6
 */
#include "bench/kernels/kernel.h"

#include <math.h>

#define DENSITY 0.83134
#define STEP    0.002
#define CUTOFF  2.5
#define SPEED   1.2 /* largest of a coordinate, at the beginning */

struct vector {
    double x, y, z;
};

struct particle {
    struct vector at, speed, force; /* written by the thread it falls to */
};

static size_t size, steps, threads, n;
static double side;
static struct particle *particle;
static struct vector *force[KERNEL_MAX_THREADS]; /* of each thread: on every particle, by its pairs */
static double potential[KERNEL_MAX_THREADS];     /* the same, at present */
static double first_energy, last_energy;         /* written by thread 0 */
static pthread_barrier_t meet;

static struct vector momentum(void)
{
    struct vector sum = {0, 0, 0};
    for (size_t i = 0; i < n; i++) {
        sum.x += particle[i].speed.x;
        sum.y += particle[i].speed.y;
        sum.z += particle[i].speed.z;
    }
    return sum;
}

/* Four particles in each cell of a face-centred cubic lattice, with random speeds whose sum is 0. */
static void lattice(void)
{
    static const double corner[4][3] = {{0, 0, 0}, {0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0}};
    uint64_t random = kernel_seed(7);
    double cell = side / (double)size;
    for (size_t i = 0; i < n; i++) {
        size_t c = i / 4;
        double speed[3];
        for (size_t k = 0; k < 3; k++)
            speed[k] = SPEED * (kernel_random(&random) * 0x1p-31 - 1);
        particle[i].at = (struct vector){((double)(c % size) + corner[i % 4][0]) * cell,
                                         ((double)(c / size % size) + corner[i % 4][1]) * cell,
                                         ((double)(c / size / size) + corner[i % 4][2]) * cell};
        particle[i].speed = (struct vector){speed[0], speed[1], speed[2]};
    }
    struct vector sum = momentum();
    for (size_t i = 0; i < n; i++) {
        particle[i].speed.x -= sum.x / (double)n;
        particle[i].speed.y -= sum.y / (double)n;
        particle[i].speed.z -= sum.z / (double)n;
    }
}

/* The distance to the nearest image in the periodic box. */
static double nearest(double distance)
{
    if (distance < -0.5 * side)
        return distance + side;
    return distance > 0.5 * side ? distance - side : distance;
}

static double inside(double position)
{
    if (position < 0)
        return position + side;
    return position >= side ? position - side : position;
}

static void pair_forces(size_t me)
{
    struct vector *mine = force[me];
    double energy = 0;
    for (size_t i = 0; i < n; i++)
        mine[i] = (struct vector){0, 0, 0};
    for (size_t i = me; i < n; i += threads) {
        const struct particle *p = &particle[i];
        struct vector sum = {0, 0, 0};
        for (size_t j = i + 1; j < n; j++) {
            const struct particle *q = &particle[j];
            double dx = nearest(p->at.x - q->at.x), dy = nearest(p->at.y - q->at.y),
                   dz = nearest(p->at.z - q->at.z);
            double r2 = dx * dx + dy * dy + dz * dz;
            if (r2 > CUTOFF * CUTOFF)
                continue;
            double i2 = 1 / r2, i6 = i2 * i2 * i2, f = 48 * i2 * (i6 * i6 - 0.5 * i6);
            energy += 4 * (i6 * i6 - i6);
            sum.x += f * dx;
            sum.y += f * dy;
            sum.z += f * dz;
            mine[j].x -= f * dx;
            mine[j].y -= f * dy;
            mine[j].z -= f * dz;
        }
        mine[i].x += sum.x;
        mine[i].y += sum.y;
        mine[i].z += sum.z;
    }
    potential[me] = energy;
}

static void sum_forces(size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        struct vector sum = {0, 0, 0};
        for (size_t t = 0; t < threads; t++) {
            sum.x += force[t][i].x;
            sum.y += force[t][i].y;
            sum.z += force[t][i].z;
        }
        particle[i].force = sum;
    }
}

static void kick(size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        particle[i].speed.x += 0.5 * STEP * particle[i].force.x;
        particle[i].speed.y += 0.5 * STEP * particle[i].force.y;
        particle[i].speed.z += 0.5 * STEP * particle[i].force.z;
    }
}

static void drift(size_t first, size_t end)
{
    for (size_t i = first; i < end; i++) {
        particle[i].at.x = inside(particle[i].at.x + STEP * particle[i].speed.x);
        particle[i].at.y = inside(particle[i].at.y + STEP * particle[i].speed.y);
        particle[i].at.z = inside(particle[i].at.z + STEP * particle[i].speed.z);
    }
}

static double energy(void)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        const struct vector *v = &particle[i].speed;
        sum += 0.5 * (v->x * v->x + v->y * v->y + v->z * v->z);
    }
    for (size_t t = 0; t < threads; t++)
        sum += potential[t];
    return sum;
}

static void *work(void *self)
{
    size_t me = (size_t)self;
    size_t first = n * me / threads, end = n * (me + 1) / threads;
    pair_forces(me);
    pthread_barrier_wait(&meet);
    sum_forces(first, end);
    if (me == 0)
        first_energy = energy();
    pthread_barrier_wait(&meet);
    for (size_t s = 0; s < steps; s++) {
        kick(first, end);
        drift(first, end);
        pthread_barrier_wait(&meet);
        pair_forces(me);
        pthread_barrier_wait(&meet);
        sum_forces(first, end);
        kick(first, end);
        pthread_barrier_wait(&meet);
    }
    if (me == 0)
        last_energy = energy();
    return NULL;
}

int main(int argc, char **argv)
{
    size = kernel_size(argc, argv, 1, 6, 3, 100);
    steps = kernel_size(argc, argv, 2, 50, 1, 1000000);
    threads = kernel_size(argc, argv, 3, 2, 1, KERNEL_MAX_THREADS);
    n = 4 * size * size * size;
    side = cbrt((double)n / DENSITY);
    particle = kernel_array(n, sizeof *particle);
    for (size_t t = 0; t < threads; t++)
        force[t] = kernel_array(n, sizeof *force[t]);
    lattice();
    pthread_barrier_init(&meet, NULL, (unsigned)threads);
    kernel_threads(threads, work);
    pthread_barrier_destroy(&meet);

    if (!(fabs(last_energy - first_energy) < 5e-3 * fabs(first_energy)))
        kernel_wrong("the energy went from %g to %g", first_energy, last_energy);
    struct vector sum = momentum();
    if (!(fabs(sum.x) + fabs(sum.y) + fabs(sum.z) < 1e-7))
        kernel_wrong("the momentum is %g, %g, %g", sum.x, sum.y, sum.z);
    for (size_t t = 0; t < threads; t++)
        free(force[t]);
    free(particle);
    printf("moldyn: %zu particles, %zu steps, energy and momentum kept\n", n, steps);
    return 0;
}
