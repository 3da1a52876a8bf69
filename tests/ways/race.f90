! SPDX-License-Identifier: Apache-2.0
!
! race.c in Fortran: the main program writes before the join, which is the race, or after it.
module other_thread
  use iso_c_binding
  implicit none
  integer(c_int) :: shared = 0
contains
  function other(arg) bind(c) result(r)
    type(c_ptr), value :: arg
    type(c_ptr) :: r
    shared = 1
    r = arg
  end function
end module

program ways
  use other_thread
  implicit none
  interface
    function pthread_create(t, attr, start, arg) bind(c) result(r)
      import
      integer(c_long) :: t
      type(c_ptr), value :: attr, arg
      type(c_funptr), value :: start
      integer(c_int) :: r
    end function
    function pthread_join(t, value) bind(c) result(r)
      import
      integer(c_long), value :: t
      type(c_ptr), value :: value
      integer(c_int) :: r
    end function
  end interface
  integer(c_long) :: t
  integer(c_int) :: r
  r = pthread_create(t, c_null_ptr, c_funloc(other), c_null_ptr)
#ifdef RACY
  shared = 2
  r = pthread_join(t, c_null_ptr)
#else
  r = pthread_join(t, c_null_ptr)
  shared = 2
#endif
  print '(a)', 'done'
end program
