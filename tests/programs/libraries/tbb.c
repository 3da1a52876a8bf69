/* SPDX-License-Identifier: Apache-2.0
 *
 * By its name a library that hands over work in ways that nobody sees: here by a plain store and a load.
 */
void tbb_give(int *place);
void tbb_take(const int *place);

void tbb_give(int *place)
{
    __atomic_store_n(place, 1, __ATOMIC_RELEASE);
}

void tbb_take(const int *place)
{
    while (!__atomic_load_n(place, __ATOMIC_ACQUIRE))
        ;
}
