cimport cython
from replan.clock cimport deadline_in
from replan.core cimport i64, state_t
from replan.planners.base cimport Planner
from replan.spaces.goals cimport Goals
from replan.spaces.space cimport Space

cdef i64 PARTIAL, UNREACHABLE, WAITING

cdef list _idle_planners(Space space, tuple kind)
cdef tuple _take_idle(Space space, name, dict options)
@cython.locals(trip_number=i64, s=state_t, status=i64, cells=list, cost=double)
cdef object search_path(Planner planner, Space space, Goals goals, state_t agent_state)
@cython.locals(is_complete=bint, limit=i64, time_ns=i64, status=i64)
cdef i64 run_episode_nogil(Planner planner, state_t s) except -1
cdef return_planner(Planner planner, list idle_planners)
