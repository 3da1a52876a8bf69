/* SPDX-License-Identifier: Apache-2.0
 *
 * A ray tracer as Java Grande describes it: raytracer [SIDE [THREADS]], a square picture of 64 spheres in a grid under
 * five lights, with reflections; thread t renders the lines t, t + THREADS, ...  The scene is read by all threads,
 * millions of times; the hits are small objects that live for one ray.
 *
 * The check: the same picture, of a mirrored scene: whatever is traced must then come out the other way round.
 *
 * Reduced: 24
 */
#include "bench/kernels/kernel.h"

#include <math.h>

#define GRID    4
#define SPHERES (GRID * GRID * GRID)
#define LIGHTS  5
#define DEPTH   6
#define NEAR    1e-6

struct vec {
    double x, y, z;
};

struct sphere {
    struct vec centre, colour;
    double radius, shine, mirror;
};

struct light {
    struct vec place;
    double brightness;
};

struct hit {
    const struct sphere *sphere;
    double distance;
};

struct scene {
    struct sphere sphere[SPHERES];
    struct light light[LIGHTS];
};

static size_t side, threads;
static struct scene *scene; /* written before the threads start */
static struct vec *picture; /* lines of it are written by the thread they fall to */

static struct vec add(struct vec a, double k, struct vec b)
{
    return (struct vec){a.x + k * b.x, a.y + k * b.y, a.z + k * b.z};
}

static double dot(struct vec a, struct vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

static struct vec unit(struct vec a)
{
    double k = 1 / sqrt(dot(a, a));
    return (struct vec){k * a.x, k * a.y, k * a.z};
}

static struct hit *nearest(struct vec from, struct vec direction)
{
    struct hit *hit = NULL;
    for (size_t i = 0; i < SPHERES; i++) {
        const struct sphere *s = &scene->sphere[i];
        struct vec v = add(s->centre, -1, from);
        double b = dot(v, direction), d = b * b - dot(v, v) + s->radius * s->radius;
        if (d < 0)
            continue;
        d = sqrt(d);
        double t = b - d > NEAR ? b - d : b + d;
        if (t > NEAR && (!hit || t < hit->distance)) {
            if (!hit)
                hit = kernel_array(1, sizeof *hit);
            hit->sphere = s;
            hit->distance = t;
        }
    }
    return hit;
}

/* The colour that comes from one light; nothing if a sphere is in between. */
static struct vec lit(const struct light *light, const struct sphere *s, struct vec point, struct vec normal,
                      struct vec reflected)
{
    struct vec black = {0, 0, 0}, to_light = unit(add(light->place, -1, point));
    double cosine = dot(normal, to_light);
    if (cosine <= 0)
        return black;
    struct hit *between = nearest(point, to_light);
    free(between);
    if (between)
        return black;
    double spot = pow(fmax(0, dot(reflected, to_light)), s->shine) * light->brightness;
    return add((struct vec){spot, spot, spot}, cosine * light->brightness, s->colour);
}

static struct vec trace(struct vec from, struct vec direction, size_t depth)
{
    struct vec colour = {0, 0, 0};
    struct hit *hit = depth < DEPTH ? nearest(from, direction) : NULL;
    if (!hit)
        return colour;
    const struct sphere *s = hit->sphere;
    struct vec point = add(from, hit->distance, direction);
    free(hit);
    struct vec normal = unit(add(point, -1, s->centre));
    struct vec reflected = add(direction, -2 * dot(normal, direction), normal);
    colour = add(colour, 0.1, s->colour);
    for (size_t i = 0; i < LIGHTS; i++)
        colour = add(colour, 1, lit(&scene->light[i], s, point, normal, reflected));
    return add(colour, s->mirror, trace(point, reflected, depth + 1));
}

static struct vec pixel(size_t x, size_t y)
{
    struct vec eye = {0, 0, -30}, direction = {((double)x + 0.5) / (double)side - 0.5,
                                               ((double)y + 0.5) / (double)side - 0.5, 0.8};
    return trace(eye, unit(direction), 0);
}

static void *render(void *self)
{
    for (size_t y = (size_t)self; y < side; y += threads)
        for (size_t x = 0; x < side; x++)
            picture[y * side + x] = pixel(x, y);
    return NULL;
}

/* Colours change along all three axes, so that the mirrored scene is another one. */
static void furnish(double mirrored)
{
    for (size_t i = 0; i < SPHERES; i++) {
        double x = (double)(i % GRID), y = (double)(i / GRID % GRID), z = (double)(i / GRID / GRID);
        double gap = 20.0 / (GRID - 1);
        scene->sphere[i] = (struct sphere){.centre = {mirrored * (gap * x - 10), gap * y - 10, gap * z - 10},
                                           .colour = {(x + 1) / GRID, (y + 1) / GRID, (z + 1) / GRID},
                                           .radius = 3,
                                           .shine = 15,
                                           .mirror = 0.5};
    }
    static const struct vec place[LIGHTS] = {
        {100, 100, -50}, {-100, 100, -50}, {100, -100, -50}, {-100, -100, -50}, {200, 200, 0}};
    for (size_t i = 0; i < LIGHTS; i++)
        scene->light[i] = (struct light){{mirrored * place[i].x, place[i].y, place[i].z}, 0.3};
}

int main(int argc, char **argv)
{
    side = kernel_size(argc, argv, 1, 160, 1, 10000);
    threads = kernel_size(argc, argv, 2, 2, 1, KERNEL_MAX_THREADS);
    scene = kernel_array(1, sizeof *scene);
    picture = kernel_array(side * side, sizeof *picture);
    furnish(1);
    kernel_threads(threads, render);

    furnish(-1);
    double light = 0;
    for (size_t y = 0; y < side; y += 8)
        for (size_t x = 0; x < side; x++) {
            struct vec here = picture[y * side + x], there = pixel(side - 1 - x, y);
            struct vec off = add(here, -1, there);
            light += dot(here, here);
            if (!(dot(off, off) < 1e-12))
                kernel_wrong("the pixel %zu, %zu is not that of the mirrored scene", x, y);
        }
    if (!(light > 0))
        kernel_wrong("the picture is black");
    free(picture);
    free(scene);
    printf("raytracer: %zu x %zu, as in the mirror\n", side, side);
    return 0;
}
