import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { MailConfig } from './mail.config.js';

@Injectable()
export class MailFolder {
  constructor(private readonly config: MailConfig) {}

  /** Writes a temporary file and renames it, so that readers see complete messages only. */
  async write(id: string, message: Buffer): Promise<void> {
    await mkdir(this.config.folder, { recursive: true });
    const path = this.pathOf(id);
    await writeFile(`${path}.part`, message, { mode: 0o600 });
    await rename(`${path}.part`, path);
  }

  async remove(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      await rm(this.pathOf(id), { force: true });
      await rm(`${this.pathOf(id)}.part`, { force: true });
    }
  }

  private pathOf(id: string): string {
    return join(this.config.folder, `${id}.eml`);
  }
}
