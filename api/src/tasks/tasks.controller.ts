import {
  type BulkUpload,
  type RouteInput,
  type RouteResult,
  resultRoutes,
  type Task,
  type TaskList,
  taskRoutes,
} from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { PreferredWait, type Wait } from '../platform/http/preferred-wait.js';
import { Input, Route, RouteResponse } from '../platform/http/route.decorator.js';
import { type Caller, CurrentCaller } from '../sessions/caller.js';
import { ReprocessService } from './reprocess.service.js';
import { TaskPresenter } from './task.presenter.js';
import { TasksService } from './tasks.service.js';

@Controller()
export class TasksController {
  constructor(
    private readonly tasks: TasksService,
    private readonly presenter: TaskPresenter,
    private readonly reprocessing: ReprocessService,
  ) {}

  @Route(taskRoutes.listTasks)
  list(
    @CurrentCaller() caller: Caller,
    @Input() { query }: RouteInput<typeof taskRoutes.listTasks>,
  ): Promise<TaskList> {
    return this.tasks.list(caller, query);
  }

  @Route(taskRoutes.getTask)
  async get(
    @CurrentCaller() caller: Caller,
    @Input() { params }: RouteInput<typeof taskRoutes.getTask>,
    @PreferredWait() wait: Wait | null,
  ): Promise<Task> {
    if (wait) await this.tasks.waitUntilFinal(caller, params.taskId, wait);
    return this.presenter.get(caller, params.taskId);
  }

  @Route(resultRoutes.reprocessTasks)
  reprocess(
    @CurrentCaller() caller: Caller,
    @Input() { params, body }: RouteInput<typeof resultRoutes.reprocessTasks>,
  ): Promise<BulkUpload> {
    return this.reprocessing.reprocess(caller, params.bulkUploadId, body.inputReprocessList);
  }

  @Route(taskRoutes.cancelTask)
  cancel(
    @CurrentCaller() caller: Caller,
    @Input() { params }: RouteInput<typeof taskRoutes.cancelTask>,
  ): Promise<Task> {
    return this.tasks.cancel(caller, params.taskId);
  }

  @Route(taskRoutes.deleteTasks)
  async delete(
    @CurrentCaller() caller: Caller,
    @Input() { body }: RouteInput<typeof taskRoutes.deleteTasks>,
  ): Promise<RouteResponse<RouteResult<typeof taskRoutes.deleteTasks>>> {
    const notFound = await this.tasks.delete(caller, body.taskIds);
    return notFound.length === 0 ? new RouteResponse(204, undefined) : new RouteResponse(200, { notFound });
  }
}
