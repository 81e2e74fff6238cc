import { buffer } from 'node:stream/consumers';
import {
  DEFAULT_JPEG_QUALITY,
  DISPLAY_MAX_SIDE,
  type DownloadSpec,
  hasOriginal,
  inSeconds,
  objectKeys,
  pathOf,
  type RouteInput,
  resultRoutes,
  TILE_OVERLAP,
  TILE_SIZE,
  type Tiles,
  tileLevelsOf,
  tileNumberOf,
} from '@clearframe/contract';
import { ObjectMissingError, ObjectStore, signQuery } from '@clearframe/runtime/storage';
import { Injectable, StreamableFile } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { AppConfig } from '../platform/config/app.config.js';
import { AppError } from '../platform/errors/app-error.js';
import { requireSignedQuery, SigningConfig } from '../platform/storage/signed-url.js';
import { RunsService } from '../runs/runs.service.js';
import type { Caller } from '../sessions/caller.js';
import type { DownloadRow } from '../tasks/download.entity.js';
import { DownloadFiles } from '../tasks/download-files.repository.js';
import { servedSpec, tilesSpec } from '../tasks/download-spec.js';
import type { TaskOutputRow, TaskRow } from '../tasks/task.entity.js';
import { findRow } from '../tasks/task-files.repository.js';
import { TasksRepository } from '../tasks/tasks.repository.js';
import { requireResult } from './downloads.service.js';

/** Addresses live between one and two of these, and stay the same in between, so that browsers keep tiles. */
const LIFETIME_SECONDS = inSeconds.hours(1);
const OFFSET_BYTES = 4;
/** Any: tiles have their own. */
const FORMAT = { contentType: 'image/jpeg', jpegQuality: DEFAULT_JPEG_QUALITY } as const;

type TileRequest = RouteInput<typeof resultRoutes.getTile>;

/** Large pictures in parts, each readable without the others. */
@Injectable()
export class TilesService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly tasks: TasksRepository,
    private readonly downloads: DownloadFiles,
    private readonly runs: RunsService,
    private readonly store: ObjectStore,
    private readonly signing: SigningConfig,
    private readonly app: AppConfig,
  ) {}

  /** Orders what a caller may see of a result larger than its display file, and of its original. */
  async request(caller: Caller, taskId: string, outputId: string | undefined): Promise<Tiles> {
    const [output, input] = await this.database.transaction(async (manager) => {
      const task = await this.tasks.lockOwn(manager, caller, taskId);
      const result = requireResult(caller, task, outputId);
      const spec = servedSpec(caller.role, task, result, FORMAT);
      if (spec.maxSide !== null || !isLarge(result.image.master)) return [null, null];
      return [
        await this.ensure(manager, task, result, tilesSpec(spec)),
        isLarge(result.image.input) && hasOriginal(task.status)
          ? await this.ensure(manager, task, null, tilesSpec({ watermark: false }))
          : null,
      ];
    });
    await this.runs.dispatch('renders', 'large');
    const states = [output, input].flatMap((file) => file?.status ?? []);
    const unfinished = (['pending', 'failed'] as const).find((state) => states.includes(state));
    return {
      status: unfinished ?? 'ready',
      input: input && this.present(input),
      output: output && this.present(output),
    };
  }

  private async ensure(
    manager: EntityManager,
    task: TaskRow,
    output: TaskOutputRow | null,
    spec: DownloadSpec,
  ): Promise<DownloadRow> {
    const files = await this.downloads.listFor([task.id], manager);
    const found = findRow(files, output?.runId ?? null, spec);
    if (found) return found;
    return output
      ? this.downloads.ensure(manager, task, output, spec, 'conversion')
      : this.downloads.ensureOriginal(manager, task, spec, 'conversion');
  }

  private present({ id, taskId, image }: DownloadRow): Tiles['output'] {
    if (!image) return null;
    const { width, height, contentType } = image;
    const [top, ...lower] = tileLevelsOf(image);
    if (!top || (contentType !== 'image/jpeg' && contentType !== 'image/webp')) return null;
    const expires = (Math.ceil(Date.now() / 1000 / LIFETIME_SECONDS) + 1) * LIFETIME_SECONDS;
    const claims = { width: String(width), height: String(height), type: contentType, expires: String(expires) };
    const query = signQuery(this.signing.secret, 'GET', objectKeys.tiles(taskId, id), claims);
    const path = pathOf(resultRoutes.getTile)
      .replace(':taskId', taskId)
      .replace(':fileId', id)
      .replace(':level', '{level}')
      .replace(':tile', '{column}_{row}');
    return {
      url: `${this.app.publicUrl}${path}?${query}`,
      width,
      height,
      tileSize: TILE_SIZE,
      overlap: TILE_OVERLAP,
      minLevel: (lower.at(-1) ?? top).level,
      maxLevel: top.level,
      contentType,
    };
  }

  /**
   * Reads one tile of the file, without decoding anything.
   * @throws AppError `media.url_invalid`, `media.url_expired`, `media.not_found`
   */
  async open({ params, query }: TileRequest): Promise<StreamableFile> {
    const key = objectKeys.tiles(params.taskId, params.fileId);
    const claims = requireSignedQuery(this.signing.secret, query, {
      method: 'GET',
      key,
      names: ['width', 'height', 'type', 'expires'],
      invalid: 'media.url_invalid',
      expired: 'media.url_expired',
    });
    const [column = 0, row = 0] = params.tile.split('_').map(Number);
    const picture = { width: Number(claims.width), height: Number(claims.height) };
    const number = tileNumberOf(picture, { level: Number(params.level), column, row });
    if (number === null) throw new AppError('media.not_found');
    try {
      const at = number * OFFSET_BYTES;
      const offsets = await buffer(await this.store.read(key, { start: at, end: at + 2 * OFFSET_BYTES - 1 }));
      const [start, end] = [offsets.readUInt32LE(0), offsets.readUInt32LE(OFFSET_BYTES)];
      const body = await this.store.read(key, { start, end: end - 1 });
      return new StreamableFile(body, { type: claims.type ?? '', length: end - start });
    } catch (error) {
      throw error instanceof ObjectMissingError ? new AppError('media.not_found') : error;
    }
  }
}

/** Display files show less than the picture has. */
const isLarge = ({ width, height }: { readonly width: number; readonly height: number }): boolean =>
  Math.max(width, height) > DISPLAY_MAX_SIDE;
