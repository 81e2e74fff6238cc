import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VideoTools } from '../video/locate.js';

/** Shell scripts in place of ffmpeg. */
export class StubPrograms {
  private constructor(
    readonly folder: string,
    private count: number,
  ) {}

  static async create(): Promise<StubPrograms> {
    return new StubPrograms(await mkdtemp(join(tmpdir(), 'clearframe-programs-')), 0);
  }

  async script(body: string): Promise<string> {
    const path = join(this.folder, `program-${this.count++}`);
    await writeFile(path, `#!/bin/sh\n${body}\n`);
    await chmod(path, 0o700);
    return path;
  }

  async toolsWith(tools: VideoTools, scripts: Partial<Record<'ffmpeg' | 'ffprobe', string>>): Promise<VideoTools> {
    const [ffmpeg, ffprobe] = await Promise.all(
      (['ffmpeg', 'ffprobe'] as const).map((name) => {
        const body = scripts[name];
        return body === undefined ? tools[name] : this.script(body);
      }),
    );
    return { ...tools, ffmpeg: ffmpeg ?? tools.ffmpeg, ffprobe: ffprobe ?? tools.ffprobe };
  }

  remove(): Promise<void> {
    return rm(this.folder, { recursive: true, force: true });
  }
}
