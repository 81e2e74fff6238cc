import {
  type ArchiveParts,
  type BulkUpload,
  type LinkedPicture,
  pictureLinkRoutes,
  type RouteInput,
  resultRoutes,
  type Task,
  type Tiles,
  taskRoutes,
} from '@clearframe/contract';
import { Controller, Header, Res, type StreamableFile } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Input, Route, RouteResponse } from '../platform/http/route.decorator.js';
import { type Caller, CurrentCaller } from '../sessions/caller.js';
import { DownloadsService } from './downloads.service.js';
import { PictureLinks } from './picture-links.js';
import { TilesService } from './tiles.service.js';
import { ZipDownloads } from './zip-downloads.js';

@Controller()
export class DownloadsController {
  constructor(
    private readonly downloads: DownloadsService,
    private readonly zips: ZipDownloads,
    private readonly links: PictureLinks,
    private readonly tiles: TilesService,
  ) {}

  @Route(resultRoutes.exportTask)
  download(
    @CurrentCaller() caller: Caller,
    @Input() { params, body }: RouteInput<typeof resultRoutes.exportTask>,
  ): Promise<Task> {
    return this.downloads.download(caller, params.taskId, body);
  }

  @Route(resultRoutes.convertTask)
  async convert(
    @CurrentCaller() caller: Caller,
    @Input() { params, body }: RouteInput<typeof resultRoutes.convertTask>,
  ): Promise<RouteResponse<Task>> {
    const { task, isReady } = await this.downloads.convert(caller, params.taskId, body);
    return new RouteResponse(isReady ? 200 : 202, task);
  }

  @Route(resultRoutes.createChangeMap)
  changeMap(
    @CurrentCaller() caller: Caller,
    @Input() { params, body }: RouteInput<typeof resultRoutes.createChangeMap>,
  ): Promise<StreamableFile> {
    return this.downloads.changeMap(caller, params.taskId, body.outputId);
  }

  @Route(resultRoutes.createTiles)
  requestTiles(
    @CurrentCaller() caller: Caller,
    @Input() { params, body }: RouteInput<typeof resultRoutes.createTiles>,
  ): Promise<Tiles> {
    return this.tiles.request(caller, params.taskId, body.outputId);
  }

  @Route(resultRoutes.getTile)
  @Header('content-security-policy', "default-src 'none'; sandbox")
  async getTile(
    @Input() input: RouteInput<typeof resultRoutes.getTile>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const tile = await this.tiles.open(input);
    reply.header('cache-control', 'private, max-age=3600, immutable');
    return tile;
  }

  @Route(resultRoutes.convertInputs)
  convertInputs(
    @CurrentCaller() caller: Caller,
    @Input() { params, body }: RouteInput<typeof resultRoutes.convertInputs>,
  ): Promise<BulkUpload> {
    return this.downloads.convertInputs(caller, params.bulkUploadId, body.taskIds);
  }

  @Route(taskRoutes.createBulkUploadArchive)
  async prepareArchive(
    @CurrentCaller() caller: Caller,
    @Input() { params, body }: RouteInput<typeof taskRoutes.createBulkUploadArchive>,
  ): Promise<RouteResponse<BulkUpload>> {
    const { bulkUpload, isReady } = await this.downloads.prepareArchive(caller, params.bulkUploadId, body);
    return new RouteResponse(isReady ? 200 : 202, bulkUpload);
  }

  @Route(taskRoutes.downloadBulkUploadArchive)
  archive(
    @CurrentCaller() caller: Caller,
    @Input() { params, query }: RouteInput<typeof taskRoutes.downloadBulkUploadArchive>,
  ): Promise<StreamableFile> {
    return this.zips.ofUpload(caller, params.bulkUploadId, query);
  }

  @Route(taskRoutes.listBulkUploadArchiveParts)
  archiveParts(
    @CurrentCaller() caller: Caller,
    @Input() { params, query }: RouteInput<typeof taskRoutes.listBulkUploadArchiveParts>,
  ): Promise<ArchiveParts> {
    return this.zips.listParts(caller, params.bulkUploadId, query);
  }

  @Route(taskRoutes.downloadTaskArchive)
  archiveTasks(
    @CurrentCaller() caller: Caller,
    @Input() { query }: RouteInput<typeof taskRoutes.downloadTaskArchive>,
  ): Promise<StreamableFile> {
    return this.zips.ofTasks(caller, query.taskIds, query);
  }

  @Route(pictureLinkRoutes.openPictureLink)
  openLink(@Input() { body }: RouteInput<typeof pictureLinkRoutes.openPictureLink>): Promise<LinkedPicture> {
    return this.links.open(body.token);
  }
}
