! SPDX-License-Identifier: Apache-2.0
!
! Fortran with OpenMP: loops, reductions, critical and ordered regions, atomics, locks, tasks, threadprivate data; variables of a procedure that procedures
! inside it use, allocatable components, pointers, array sections, strings, files
! (whose locks the library takes in either order). With an argument two threads also access, in an order that nobody is told
! of, variables of a procedure around them, a component, an array's element and a section of it.
module things
  use iso_c_binding
  implicit none
  type :: part
     character(len=5) :: name = ''
     integer :: number = 0
     real, allocatable :: values(:)
  end type
  type(part), target :: shared_part
  integer, save :: own = 0
  !$omp threadprivate(own)
  interface
     subroutine pass_turn() bind(c)
     end subroutine
     subroutine await_turn(n) bind(c)
       import
       integer(c_int), value :: n
     end subroutine
  end interface
end module

subroutine right(n)
  use things
  use omp_lib
  implicit none
  integer, intent(in) :: n
  integer :: i, hits, most, fed, order(200), last, unit, back
  real :: total, row(200)
  integer(omp_lock_kind) :: lock
  type(part), pointer :: p
  hits = 0; total = 0; most = 0; fed = 0; last = 0; row = 0
  p => shared_part
  allocate(p%values(n))
  call omp_init_lock(lock)
  !$omp parallel num_threads(4) private(i)
  !$omp do reduction(+:total) reduction(max:most)
  do i = 1, n
     total = total + i
     most = max(most, mod(i * 7, 31))
     p%values(i) = real(i)
  end do
  !$omp do ordered schedule(dynamic)
  do i = 1, n
     call add(i)
     !$omp ordered
     last = last + 1
     order(last) = i
     !$omp end ordered
  end do
  own = own + 1
  call omp_set_lock(lock)
  p%number = p%number + own
  p%name = 'n' // achar(48 + own)
  call omp_unset_lock(lock)
  !$omp end parallel
  !$omp parallel num_threads(3)
  !$omp single
  do i = 1, 50
     !$omp task firstprivate(i) depend(inout: fed)
     call feed(i)
     !$omp end task
  end do
  !$omp taskwait
  !$omp end single
  !$omp sections
  !$omp section
  row(:100) = row(:100) + 1
  !$omp section
  row(101:) = p%values(101:200) + row(101:)
  !$omp end sections
  !$omp end parallel
  back = 0
  !$omp parallel num_threads(2) private(unit, i) reduction(+:back)
  open (newunit=unit, status='scratch')
  write (unit, *) 21
  rewind (unit)
  read (unit, *) i
  back = back + i
  close (unit)
  !$omp end parallel
  call omp_destroy_lock(lock)
  print '(8(1x,i0))', hits, nint(total), most, fed, count(order == [(i, i = 1, 200)]), p%number, nint(sum(row)), back
  deallocate(p%values)
contains
  subroutine add(k)
    integer, intent(in) :: k
    !$omp critical
    hits = hits + mod(k, 3)
    !$omp end critical
    !$omp atomic
    most = most + 1
  end subroutine
  subroutine feed(k)
    integer, intent(in) :: k
    fed = fed + k
  end subroutine
end subroutine

subroutine wrong()
  use things
  use omp_lib
  implicit none
  integer :: hits
  character(len=8) :: word
  integer, allocatable :: row(:)
  hits = 0; word = ''
  allocate(row(100))
  row = 0
  !$omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) then
     call early()
  else
     call late()
  end if
  !$omp end parallel
contains
  subroutine early()
    call await_turn(1)
    hits = 1                   ! @race A1
    shared_part%number = 2     ! @race B1
    row(10) = 3                ! @race C1
    row(20:29) = 4             ! @race D1
    word(2:3) = 'ab'           ! @race E1
    call pass_turn()
  end subroutine
  subroutine late()
    call pass_turn()
    call await_turn(2)
    hits = 2                   ! @race A2
    shared_part%number = 3     ! @race B2
    row(10) = 4                ! @race C2
    row(29) = 5                ! @race D2
    row(30) = 5
    word(3:4) = 'cd'           ! @race E2
    shared_part%name = 'x'
  end subroutine
end subroutine

program openmp
  implicit none
  call right(200)
  if (command_argument_count() > 0) call wrong()
  print '(a)', 'done'
end program
