// SPDX-License-Identifier: Apache-2.0
package kernels;

/** A vector in space, and a point. */
final class Vec {
    double x;
    double y;
    double z;

    Vec(double x, double y, double z) {
        this.x = x;
        this.y = y;
        this.z = z;
    }

    Vec plus(double factor, Vec other) {
        return new Vec(x + factor * other.x, y + factor * other.y, z + factor * other.z);
    }

    Vec minus(Vec other) {
        return new Vec(x - other.x, y - other.y, z - other.z);
    }

    double dot(Vec other) {
        return x * other.x + y * other.y + z * other.z;
    }

    Vec unit() {
        double length = Math.sqrt(dot(this));
        return new Vec(x / length, y / length, z / length);
    }

    /** This direction mirrored by a surface with that normal. */
    Vec mirrored(Vec normal) {
        return plus(-2 * dot(normal), normal);
    }
}
