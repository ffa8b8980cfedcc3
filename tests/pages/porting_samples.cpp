// SPDX-License-Identifier: MIT
// porting_samples.cpp - what the samples of tools/docs/porting.md in C++ use.
#include <acre/tasks.h>

#if __has_include(<tbb/task_group.h>)
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
namespace with_tbb
{
#include "porting_2.inc"
const acre_tasks tasks = {2, enqueue, finish, nullptr, false};
} // namespace with_tbb
#endif

// The declarations of enkiTS that the sample uses.
namespace enki
{
struct TaskSetPartition {
    uint32_t start, end;
};
enum TaskPriority { TASK_PRIORITY_HIGH, TASK_PRIORITY_LOW };
class ICompletable
{
  public:
    virtual ~ICompletable() = default;
    TaskPriority m_Priority = TASK_PRIORITY_HIGH;
};
class ITaskSet : public ICompletable
{
  public:
    virtual void ExecuteRange(TaskSetPartition range, uint32_t thread) = 0;
};
class TaskScheduler
{
  public:
    void AddTaskSetToPipe(ITaskSet *set);
    void WaitforTask(const ICompletable *set, TaskPriority lowest = TASK_PRIORITY_LOW);
};
} // namespace enki
namespace with_enki
{
#include "porting_3.inc"
const acre_tasks tasks = {2, enqueue, finish, nullptr, false};
} // namespace with_enki
