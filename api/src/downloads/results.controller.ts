import { type BulkUpload, type RouteInput, resultRoutes, type Task, taskRoutes } from '@clearframe/contract';
import { Controller, type StreamableFile } from '@nestjs/common';
import { RouteResponse } from '../platform/http/response.interceptor.js';
import { Input, Route } from '../platform/http/route.decorator.js';
import { type Caller, CurrentCaller } from '../sessions/caller.js';
import { ReprocessService } from '../tasks/reprocess.service.js';
import { ArchivesService } from './archives.service.js';
import { ConversionsService } from './conversions.service.js';
import { ExportsService } from './exports.service.js';

@Controller()
export class ResultsController {
  constructor(
    private readonly exports: ExportsService,
    private readonly conversions: ConversionsService,
    private readonly reprocessing: ReprocessService,
    private readonly archives: ArchivesService,
  ) {}

  @Route(resultRoutes.exportTask)
  export(
    @CurrentCaller() caller: Caller,
    @Input() { params, body }: RouteInput<typeof resultRoutes.exportTask>,
  ): Promise<Task> {
    return this.exports.export(caller, params.taskId, body);
  }

  @Route(resultRoutes.convertTask)
  async convert(
    @CurrentCaller() caller: Caller,
    @Input() { params, body }: RouteInput<typeof resultRoutes.convertTask>,
  ): Promise<RouteResponse<Task>> {
    const { task, isReady } = await this.conversions.convert(caller, params.taskId, body);
    return new RouteResponse(isReady ? 200 : 202, task);
  }

  @Route(resultRoutes.convertInputs)
  convertInputs(
    @CurrentCaller() caller: Caller,
    @Input() { params, body }: RouteInput<typeof resultRoutes.convertInputs>,
  ): Promise<BulkUpload> {
    return this.conversions.convertInputs(caller, params.bulkUploadId, body.taskIds);
  }

  @Route(resultRoutes.reprocess)
  reprocess(
    @CurrentCaller() caller: Caller,
    @Input() { params, body }: RouteInput<typeof resultRoutes.reprocess>,
  ): Promise<BulkUpload> {
    return this.reprocessing.reprocess(caller, params.bulkUploadId, body.inputReprocessList);
  }

  @Route(taskRoutes.archiveBulkUpload)
  archive(
    @CurrentCaller() caller: Caller,
    @Input() { params, query }: RouteInput<typeof taskRoutes.archiveBulkUpload>,
  ): Promise<StreamableFile> {
    return this.archives.ofUpload(caller, params.bulkUploadId, query);
  }

  @Route(taskRoutes.archiveTasks)
  archiveTasks(
    @CurrentCaller() caller: Caller,
    @Input() { query }: RouteInput<typeof taskRoutes.archiveTasks>,
  ): Promise<StreamableFile> {
    return this.archives.ofTasks(caller, query.taskIds, query);
  }
}
