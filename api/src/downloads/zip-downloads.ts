import type { Readable } from 'node:stream';
import { DEFAULT_JPEG_QUALITY, inMilliseconds, type Role } from '@clearframe/contract';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable, StreamableFile } from '@nestjs/common';
import { ZipFile } from 'yazl';
import { AppError } from '../platform/errors/app-error.js';
import type { Caller } from '../sessions/caller.js';
import { BulkUploadsRepository } from '../tasks/bulk-uploads.repository.js';
import { acceptContentType, type FormatRequest } from '../tasks/enhance-request.js';
import type { Format, TaskRow } from '../tasks/task.entity.js';
import { type ResultFile, TaskPresenter } from '../tasks/task.presenter.js';
import { TasksRepository } from '../tasks/tasks.repository.js';

/** For a file that a changed plan requires: encoding takes well under a second, the rest is time in the queue. */
const FILE_WAIT_MS = inMilliseconds.seconds(20);
const RETRY_SECONDS = 5;

interface Wanted {
  readonly role: Role;
  /** Absent: each picture has its own. */
  readonly format: Format | undefined;
}

/** @throws AppError `outputs.format_not_available`, `outputs.format_not_in_plan` */
function requestedFormat(role: Role, { outputContentType, jpegQuality }: FormatRequest): Format | undefined {
  if (outputContentType === undefined) return undefined;
  return {
    contentType: acceptContentType(role, outputContentType),
    jpegQuality: jpegQuality ?? DEFAULT_JPEG_QUALITY,
  };
}

@Injectable()
export class ZipDownloads {
  constructor(
    private readonly uploads: BulkUploadsRepository,
    private readonly tasks: TasksRepository,
    private readonly presenter: TaskPresenter,
    private readonly store: ObjectStore,
  ) {}

  async ofUpload(caller: Caller, bulkUploadId: string, request: FormatRequest): Promise<StreamableFile> {
    await this.uploads.requireOwn(caller.userId, bulkUploadId);
    const tasks = await this.tasks.listOfUpload(bulkUploadId);
    const wanted = { role: caller.role, format: requestedFormat(caller.role, request) };
    return this.stream(wanted, tasks, `clearframe-${bulkUploadId.slice(0, 8)}.zip`);
  }

  async ofTasks(caller: Caller, taskIds: readonly string[], request: FormatRequest): Promise<StreamableFile> {
    const tasks = await this.tasks.listOwn(caller.userId, taskIds);
    if (tasks.length < taskIds.length) throw new AppError('tasks.not_found');
    const inOrder = tasks.toSorted((a, b) => taskIds.indexOf(a.id) - taskIds.indexOf(b.id));
    const wanted = { role: caller.role, format: requestedFormat(caller.role, request) };
    return this.stream(wanted, inOrder, 'clearframe-photos.zip');
  }

  /**
   * Streams the existing results of tasks, in their order, as the current plan allows. Starts with the first file,
   * while later ones may still be encoded.
   * @throws AppError `tasks.wrong_state` without a result; `service.unavailable` when the first file could not be
   * encoded in time; later ones end the connection
   */
  private async stream(wanted: Wanted, tasks: readonly TaskRow[], fileName: string): Promise<StreamableFile> {
    const [first, ...rest] = withUniqueNames(await this.presenter.filesOf(wanted.role, tasks, wanted.format));
    if (!first) throw new AppError('tasks.wrong_state');
    const ready = { ...first, key: await this.keyOf(wanted, first) };
    return new StreamableFile(this.zip(wanted, [ready, ...rest]), {
      type: 'application/zip',
      disposition: `attachment; filename="${fileName}"`,
    });
  }

  /** Opens one file at a time. Uncompressed: pictures already are. */
  private zip(wanted: Wanted, files: readonly ResultFile[]): Readable {
    const archive = new ZipFile();
    const output = archive.outputStream as Readable;
    let current: Readable | undefined;
    for (const file of files) {
      archive.addReadStreamLazy(file.name, { compress: false, mtime: file.task.createdAt }, (done) => {
        this.open(wanted, file).then(
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

  private async open(wanted: Wanted, file: ResultFile): Promise<Readable> {
    return this.store.read(await this.keyOf(wanted, file));
  }

  private async keyOf({ role, format }: Wanted, { task, key }: ResultFile): Promise<string> {
    const encoded = key ?? (await this.presenter.awaitFile(role, task, FILE_WAIT_MS, format));
    if (!encoded) throw new AppError('service.unavailable', { retryAfterSeconds: RETRY_SECONDS });
    return encoded;
  }
}

function withUniqueNames(files: readonly ResultFile[]): ResultFile[] {
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
