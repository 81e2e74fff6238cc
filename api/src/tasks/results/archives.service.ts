import type { Readable } from 'node:stream';
import { ObjectStore } from '@clearframe/runtime/storage';
import { Injectable, StreamableFile } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { ZipFile } from 'yazl';
import type { Caller } from '../../identity/caller/caller.js';
import { AppError } from '../../platform/errors/app-error.js';
import { TaskPresenter } from '../presentation/task.presenter.js';
import { TaskRow } from '../records/task.entity.js';

interface Entry {
  readonly key: string;
  readonly name: string;
}

/** All results of an upload in one file. */
@Injectable()
export class ArchivesService {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly presenter: TaskPresenter,
    private readonly store: ObjectStore,
  ) {}

  /** Streams what is there; a picture that has no result yet, or never will, is left out. */
  async of(caller: Caller, bulkUploadId: string): Promise<StreamableFile> {
    const tasks = await this.database.manager.find(TaskRow, {
      where: { bulkUploadId, userId: caller.userId },
      order: { position: 'ASC' },
    });
    if (tasks.length === 0) throw new AppError('bulk_uploads.not_found');
    const entries = withOwnNames(await this.presenter.filesOf(tasks));
    if (entries.length === 0) throw new AppError('tasks.wrong_state');
    return new StreamableFile(this.zip(entries, tasks[0]?.createdAt ?? new Date()), {
      type: 'application/zip',
      disposition: `attachment; filename="clearframe-${bulkUploadId.slice(0, 8)}.zip"`,
    });
  }

  /** One file after the other is opened and passed on; pictures are compressed already. */
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
    // Whoever hangs up leaves no file open.
    output.once('close', () => current?.destroy());
    archive.end();
    return output;
  }
}

/** `a.jpg`, `a (2).jpg`: files of one name would lie over each other. Slashes would make folders. */
function withOwnNames(entries: readonly Entry[]): Entry[] {
  const taken = new Set<string>();
  return entries.map(({ key, name }) => {
    const plain = name.replace(/[/\\:]/g, '_').replace(/^\.+/, '_');
    let own = plain;
    for (let count = 2; taken.has(own.toLowerCase()); count++) own = plain.replace(/(\.[^.]*)?$/, ` (${count})$1`);
    taken.add(own.toLowerCase());
    return { key, name: own };
  });
}
