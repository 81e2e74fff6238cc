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
import { BulkUploadsService } from './bulk-uploads.service.js';
import { UploadTargets } from './upload-targets.js';

@Controller()
export class BulkUploadsController {
  constructor(
    private readonly bulkUploads: BulkUploadsService,
    private readonly targets: UploadTargets,
  ) {}

  @Route(taskRoutes.createBulkUpload)
  create(
    @CurrentCaller() caller: Caller,
    @Input() { body }: RouteInput<typeof taskRoutes.createBulkUpload>,
  ): Promise<BulkUploadCreated> {
    return this.bulkUploads.create(caller, imageInputsOf(body));
  }

  @Route(taskRoutes.addToBulkUpload)
  add(
    @CurrentCaller() caller: Caller,
    @Input() { params, body }: RouteInput<typeof taskRoutes.addToBulkUpload>,
  ): Promise<BulkUploadCreated> {
    return this.bulkUploads.add(caller, params.bulkUploadId, body.inputTaskList);
  }

  @Route(taskRoutes.processBulkUpload)
  process(
    @CurrentCaller() caller: Caller,
    @Input() { params, body }: RouteInput<typeof taskRoutes.processBulkUpload>,
  ): Promise<BulkUpload> {
    return this.bulkUploads.process(caller, params.bulkUploadId, body?.taskIds);
  }

  @Route(taskRoutes.renewUpload)
  renew(
    @CurrentCaller() caller: Caller,
    @Input() { params }: RouteInput<typeof taskRoutes.renewUpload>,
  ): Promise<UploadTarget> {
    return this.targets.renew(caller, params.taskId);
  }

  @Route(taskRoutes.getBulkUpload)
  get(
    @CurrentCaller() caller: Caller,
    @Input() { params }: RouteInput<typeof taskRoutes.getBulkUpload>,
  ): Promise<BulkUpload> {
    return this.bulkUploads.get(caller, params.bulkUploadId);
  }
}
