import {
  type BulkUpload,
  type BulkUploadCreated,
  imageInputsOf,
  type RouteInput,
  taskRoutes,
  type UploadTarget,
} from '@clearframe/contract';
import { Controller } from '@nestjs/common';
import { Input, Route } from '../platform/http/route.decorator.js';
import { type Caller, CurrentCaller } from '../sessions/caller.js';
import { UploadService } from './upload.service.js';

@Controller()
export class UploadsController {
  constructor(private readonly uploads: UploadService) {}

  @Route(taskRoutes.createBulkUpload)
  create(
    @CurrentCaller() caller: Caller,
    @Input() { body }: RouteInput<typeof taskRoutes.createBulkUpload>,
  ): Promise<BulkUploadCreated> {
    return this.uploads.create(caller, imageInputsOf(body), body.callbackUrl);
  }

  @Route(taskRoutes.addToBulkUpload)
  add(
    @CurrentCaller() caller: Caller,
    @Input() { params, body }: RouteInput<typeof taskRoutes.addToBulkUpload>,
  ): Promise<BulkUploadCreated> {
    return this.uploads.add(caller, params.bulkUploadId, body.inputTaskList);
  }

  @Route(taskRoutes.processBulkUpload)
  process(
    @CurrentCaller() caller: Caller,
    @Input() { params, body }: RouteInput<typeof taskRoutes.processBulkUpload>,
  ): Promise<BulkUpload> {
    return this.uploads.process(caller, params.bulkUploadId, body?.taskIds);
  }

  @Route(taskRoutes.renewUpload)
  renew(
    @CurrentCaller() caller: Caller,
    @Input() { params }: RouteInput<typeof taskRoutes.renewUpload>,
  ): Promise<UploadTarget> {
    return this.uploads.renew(caller, params.taskId);
  }

  @Route(taskRoutes.getBulkUpload)
  get(
    @CurrentCaller() caller: Caller,
    @Input() { params }: RouteInput<typeof taskRoutes.getBulkUpload>,
  ): Promise<BulkUpload> {
    return this.uploads.get(caller, params.bulkUploadId);
  }
}
