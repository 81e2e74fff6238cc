import type { Readable } from 'node:stream';
import { ARCHIVE_PART, type ArchiveParts, BASE_PATH, DEFAULT_JPEG_QUALITY, type Role } from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable, StreamableFile } from '@nestjs/common';
import { ZipFile } from 'yazl';
import { AppConfig } from '../platform/config/app.config.js';
import { AppError } from '../platform/errors/app-error.js';
import type { Caller } from '../sessions/caller.js';
import { acceptContentType, type FormatRequest } from '../tasks/download-spec.js';
import type { Format } from '../tasks/task.entity.js';
import { type ResultFile, TaskPresenter } from '../tasks/task.presenter.js';
import { TasksRepository } from '../tasks/tasks.repository.js';

const RETRY_SECONDS = 5;

/** @throws AppError `outputs.format_not_available`, `outputs.format_not_in_plan` */
function requestedFormat(role: Role, { outputContentType, jpegQuality }: FormatRequest): Format | undefined {
  if (outputContentType === undefined) return undefined;
  return {
    contentType: acceptContentType(role, outputContentType),
    jpegQuality: jpegQuality ?? DEFAULT_JPEG_QUALITY,
  };
}

type ReadyFile = ResultFile & { readonly key: string };

@Injectable()
export class ZipDownloads {
  constructor(
    private readonly tasks: TasksRepository,
    private readonly presenter: TaskPresenter,
    private readonly store: ObjectStore,
    private readonly app: AppConfig,
  ) {}

  /** @throws AppError `request.invalid` for a part that there isn't */
  async ofUpload(
    caller: Caller,
    bulkUploadId: string,
    { part, ...request }: FormatRequest & { readonly part?: number | undefined },
  ): Promise<StreamableFile> {
    const files = await this.filesOfUpload(caller, bulkUploadId, request);
    if (part === undefined) return this.stream(files, archiveNameOf(bulkUploadId));
    const parts = partsOf(files);
    const wanted = parts[part - 1];
    if (!wanted) throw new AppError('request.invalid', { details: { part: `There are ${parts.length}` } });
    return this.stream(wanted, archiveNameOf(bulkUploadId, part));
  }

  /** Nothing is made before it is downloaded. */
  async listParts(caller: Caller, bulkUploadId: string, request: FormatRequest): Promise<ArchiveParts> {
    const files = await this.filesOfUpload(caller, bulkUploadId, request);
    const { outputContentType, jpegQuality } = request;
    const format = {
      ...(outputContentType && { output_content_type: outputContentType }),
      ...(jpegQuality && { jpeg_quality: String(jpegQuality) }),
    };
    const address = `${this.app.publicUrl}${BASE_PATH}/tasks/bulk-upload/${bulkUploadId}/archive`;
    return {
      data: partsOf(files).map((pictures, index) => ({
        part: index + 1,
        fileName: archiveNameOf(bulkUploadId, index + 1),
        pictures: pictures.length,
        sizeBytes: bytesOf(pictures),
        url: `${address}?${new URLSearchParams({ ...format, part: String(index + 1) })}`,
      })),
    };
  }

  private async filesOfUpload(caller: Caller, bulkUploadId: string, request: FormatRequest): Promise<ReadyFile[]> {
    await this.tasks.requireOwnUpload(caller, bulkUploadId);
    const format = requestedFormat(caller.role, request);
    return readyFiles(await this.presenter.filesOf(caller.role, { bulkUploadId }, format));
  }

  async ofTasks(caller: Caller, taskIds: readonly string[], request: FormatRequest): Promise<StreamableFile> {
    const own = await this.tasks.countOwn(caller, taskIds);
    if (own < taskIds.length) throw new AppError('tasks.not_found');
    const format = requestedFormat(caller.role, request);
    const files = await this.presenter.filesOf(caller.role, { id: taskIds }, format);
    files.sort((a, b) => taskIds.indexOf(a.task.id) - taskIds.indexOf(b.task.id));
    return this.stream(readyFiles(files), 'clearframe-photos.zip');
  }

  private stream(files: readonly ReadyFile[], fileName: string): StreamableFile {
    return new StreamableFile(this.zip(files), {
      type: 'application/zip',
      disposition: `attachment; filename="${fileName}"`,
    });
  }

  /** Opens one file at a time. Uncompressed: pictures already are. */
  private zip(files: readonly ReadyFile[]): Readable {
    const archive = new ZipFile();
    const output = archive.outputStream as Readable;
    let current: Readable | undefined;
    for (const file of files) {
      archive.addReadStreamLazy(file.name, { compress: false, mtime: file.task.createdAt }, (done) => {
        this.store.read(file.key).then(
          (source) => {
            current = source;
            if (output.destroyed) source.destroy();
            done(null, source);
          },
          (cause: Error) => output.destroy(cause),
        );
      });
    }
    archive.on('error', (cause: Error) => output.destroy(cause));
    output.once('close', () => current?.destroy());
    archive.end();
    return output;
  }
}

const archiveNameOf = (bulkUploadId: string, part?: number): string =>
  `clearframe-${bulkUploadId.slice(0, 8)}${part === undefined ? '' : `-${part}`}.zip`;

const bytesOf = (files: readonly ReadyFile[]): number => files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);

/** In their order, each as large as it may be. */
function partsOf(files: readonly ReadyFile[]): ReadyFile[][] {
  const parts: ReadyFile[][] = [];
  for (const file of files) {
    const last = parts.at(-1);
    const hasPlace = last && last.length < ARCHIVE_PART.maxPictures;
    if (hasPlace && bytesOf(last) + file.sizeBytes <= ARCHIVE_PART.maxBytes) last.push(file);
    else parts.push([file]);
  }
  return parts;
}

/**
 * The existing results of tasks as the current plan allows, under unique names.
 * @throws AppError `tasks.wrong_state` without a result; `service.unavailable` while one has no file for the plan, in the
 * requested format
 */
function readyFiles(files: readonly ResultFile[]): ReadyFile[] {
  if (files.length === 0) throw new AppError('tasks.wrong_state');
  const ready = files.flatMap((file) => (file.key === null ? [] : [{ ...file, key: file.key }]));
  if (ready.length < files.length) throw new AppError('service.unavailable', { retryAfterSeconds: RETRY_SECONDS });
  return withUniqueNames(ready);
}

function withUniqueNames(files: readonly ReadyFile[]): ReadyFile[] {
  const usedNames = new Set<string>();
  return files.map((file) => {
    // Separators, and what Windows forbids in names.
    const plain = file.name.replace(/[/\\:*?"<>|]/g, '_').replace(/^\.+/, '_');
    let unique = plain;
    for (let count = 2; usedNames.has(unique.toLowerCase()); count++)
      unique = plain.replace(/(\.[^.]*)?$/, ` (${count})$1`);
    usedNames.add(unique.toLowerCase());
    return { ...file, name: unique };
  });
}
