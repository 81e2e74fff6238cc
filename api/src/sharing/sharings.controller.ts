import { type RouteInput, type Sharing, sharingRoutes, type TaskSharing } from '@clearframe/contract';
import { Controller, Header, Headers, Res, type StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Input, Route, RouteResponse } from '../platform/http/route.decorator.js';
import { type Caller, CurrentCaller } from '../sessions/caller.js';
import { SharingsService } from './sharings.service.js';

@Controller()
export class SharingsController {
  constructor(private readonly sharings: SharingsService) {}

  @Route(sharingRoutes.shareTask)
  async share(
    @CurrentCaller() caller: Caller,
    @Input() { params }: RouteInput<typeof sharingRoutes.shareTask>,
  ): Promise<RouteResponse<TaskSharing>> {
    const { sharing, isNew } = await this.sharings.share(caller, params.taskId);
    return new RouteResponse(isNew ? 201 : 200, sharing);
  }

  @Route(sharingRoutes.getSharing)
  get(@Input() { params }: RouteInput<typeof sharingRoutes.getSharing>): Promise<Sharing> {
    return this.sharings.get(params.sharingId);
  }

  @Route(sharingRoutes.deleteSharing)
  delete(
    @CurrentCaller() caller: Caller,
    @Input() { params }: RouteInput<typeof sharingRoutes.deleteSharing>,
  ): Promise<void> {
    return this.sharings.revoke(caller, params.sharingId);
  }

  /** Shown by other sites too, which load the picture of a link's preview. */
  @Route(sharingRoutes.getSharedFile)
  @Header('content-security-policy', "default-src 'none'; sandbox")
  @Header('cross-origin-resource-policy', 'cross-origin')
  @Header('x-robots-tag', 'noindex, noarchive')
  async getFile(
    @Input() { params, query }: RouteInput<typeof sharingRoutes.getSharedFile>,
    @Headers('range') rangeHeader: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const request = { isDownload: query.download === '1', rangeHeader };
    const { body, contentRange } = await this.sharings.openFile(params.sharingId, params.file, request);
    reply.header('accept-ranges', 'bytes');
    if (contentRange) reply.status(206).header('content-range', contentRange);
    return body;
  }
}
