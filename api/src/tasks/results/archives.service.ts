import type { Readable } from 'node:stream';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable, StreamableFile } from '@nestjs/common';
import { ZipFile } from 'yazl';
import type { Caller } from '../../identity/caller/caller.js';
import { AppError } from '../../platform/errors/app-error.js';
import { TaskPresenter } from '../presentation/task.presenter.js';
import { BulkUploadsRepository } from '../records/bulk-uploads.repository.js';
import { TasksRepository } from '../records/tasks.repository.js';

interface Entry {
  readonly key: string;
  readonly name: string;
}

@Injectable()
export class ArchivesService {
  constructor(
    private readonly uploads: BulkUploadsRepository,
    private readonly tasks: TasksRepository,
    private readonly presenter: TaskPresenter,
    private readonly store: ObjectStore,
  ) {}

  /**
   * Streams the existing results as the plan of today allows.
   * @throws AppError `bulk_uploads.not_found`; `tasks.wrong_state` without a result; `service.unavailable` when a file
   * could not be encoded in time
   */
  async create(caller: Caller, bulkUploadId: string): Promise<StreamableFile> {
    await this.uploads.requireOwn(caller.userId, bulkUploadId);
    const tasks = await this.tasks.listOfUpload(bulkUploadId);
    const entries = withUniqueNames(await this.presenter.filesOf(caller.role, tasks));
    if (entries.length === 0) throw new AppError('tasks.wrong_state');
    return new StreamableFile(this.zip(entries, tasks[0]?.createdAt ?? new Date()), {
      type: 'application/zip',
      disposition: `attachment; filename="clearframe-${bulkUploadId.slice(0, 8)}.zip"`,
    });
  }

  /** Opens one file at a time. Uncompressed: pictures already are. */
  private zip(entries: readonly Entry[], mtime: Date): Readable {
    const archive = new ZipFile();
    const output = archive.outputStream as Readable;
    let current: Readable | undefined;
    for (const { key, name } of entries) {
      archive.addReadStreamLazy(name, { compress: false, mtime }, (done) => {
        this.store.read(key).then(
          (source) => {
            current = source;
            done(null, source);
          },
          (cause: Error) => output.destroy(cause),
        );
      });
    }
    archive.on('error', (cause: Error) => output.destroy(cause));
    // Closes the current file when the client disconnects.
    output.once('close', () => current?.destroy());
    archive.end();
    return output;
  }
}

/** Appends numbers (`a.jpg`, `a (2).jpg`) and replaces slashes, which would create folders. */
function withUniqueNames(entries: readonly Entry[]): Entry[] {
  const usedNames = new Set<string>();
  return entries.map(({ key, name }) => {
    const plain = name.replace(/[/\\:]/g, '_').replace(/^\.+/, '_');
    let unique = plain;
    for (let count = 2; usedNames.has(unique.toLowerCase()); count++)
      unique = plain.replace(/(\.[^.]*)?$/, ` (${count})$1`);
    usedNames.add(unique.toLowerCase());
    return { key, name: unique };
  });
}
