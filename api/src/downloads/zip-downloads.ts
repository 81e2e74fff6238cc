import type { Readable } from 'node:stream';
import { DEFAULT_JPEG_QUALITY, type Role } from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable, StreamableFile } from '@nestjs/common';
import { In } from 'typeorm';
import { ZipFile } from 'yazl';
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
  ) {}

  async ofUpload(caller: Caller, bulkUploadId: string, request: FormatRequest): Promise<StreamableFile> {
    await this.tasks.requireOwnUpload(caller, bulkUploadId);
    const files = await this.presenter.filesOf(caller.role, { bulkUploadId }, requestedFormat(caller.role, request));
    return this.stream(files, `clearframe-${bulkUploadId.slice(0, 8)}.zip`);
  }

  async ofTasks(caller: Caller, taskIds: readonly string[], request: FormatRequest): Promise<StreamableFile> {
    const own = await this.tasks.countOwn(caller, taskIds);
    if (own < taskIds.length) throw new AppError('tasks.not_found');
    const format = requestedFormat(caller.role, request);
    const files = await this.presenter.filesOf(caller.role, { id: In([...taskIds]) }, format);
    files.sort((a, b) => taskIds.indexOf(a.task.id) - taskIds.indexOf(b.task.id));
    return this.stream(files, 'clearframe-photos.zip');
  }

  /**
   * Streams the existing results of tasks as the current plan allows.
   * @throws AppError `tasks.wrong_state` without a result; `service.unavailable` while one has no file for the plan, in the
   * requested format
   */
  private stream(files: readonly ResultFile[], fileName: string): StreamableFile {
    if (files.length === 0) throw new AppError('tasks.wrong_state');
    const ready = files.flatMap((file) => (file.key === null ? [] : [{ ...file, key: file.key }]));
    if (ready.length < files.length) throw new AppError('service.unavailable', { retryAfterSeconds: RETRY_SECONDS });
    return new StreamableFile(this.zip(withUniqueNames(ready)), {
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
