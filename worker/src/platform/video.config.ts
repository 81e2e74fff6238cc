import { type Environment, readEnvironment } from '@clearframe/runtime/config';
import { z } from 'zod';

const schema = z.object({ FFMPEG_PATH: z.string().min(1).optional(), FFPROBE_PATH: z.string().min(1).optional() });

/** Programs for videos; by default those of the PATH, then those of the npm packages. */
export class VideoConfig {
  constructor(
    readonly ffmpeg: string | undefined,
    readonly ffprobe: string | undefined,
  ) {}

  static fromEnvironment(environment: Environment): VideoConfig {
    const values = readEnvironment(schema, environment);
    return new VideoConfig(values.FFMPEG_PATH, values.FFPROBE_PATH);
  }
}
