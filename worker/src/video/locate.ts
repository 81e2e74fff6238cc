import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface VideoTools {
  readonly ffmpeg: string;
  readonly ffprobe: string;
  readonly version: string;
  readonly source: 'configured' | 'path' | 'package';
  /** Frame rate modes by their name of 5.1; older builds know `-vsync` only. */
  readonly hasFrameRateMode: boolean;
}

/** Variables of fluent-ffmpeg. */
interface ToolPaths {
  readonly ffmpeg: string | undefined;
  readonly ffprobe: string | undefined;
}

const TIMEOUT_MS = 20_000;
/** Oldest version taken from the PATH: older ones lack years of fixes in parsers. */
const OLDEST = { major: 5, minor: 1, year: 2022 } as const;
const NEEDED = {
  encoders: ['libx264', 'aac'],
  filters: [
    ...['blend', 'deblock', 'extractplanes', 'hqdn3d', 'lut', 'lut3d', 'mergeplanes', 'scale', 'setsar', 'showinfo'],
    ...['smartblur', 'split', 'transpose', 'yadif'],
  ],
} as const;

const located = new Map<string, Promise<VideoTools | null>>();

/**
 * The configured programs, those of the PATH, or those of the npm packages; null if none works. Programs that work are
 * asked once in a process: Debian's ffmpeg loads 200 libraries for each of the four answers, half a second of a processor
 * in all.
 */
export async function locateVideoTools(configured: ToolPaths): Promise<VideoTools | null> {
  const key = JSON.stringify([configured.ffmpeg, configured.ffprobe, process.env.PATH]);
  const locating = located.get(key) ?? locate(configured);
  located.set(key, locating);
  const tools = await locating;
  if (!tools) located.delete(key);
  return tools;
}

async function locate(configured: ToolPaths): Promise<VideoTools | null> {
  if (configured.ffmpeg !== undefined || configured.ffprobe !== undefined) {
    return inspect(configured.ffmpeg ?? 'ffmpeg', configured.ffprobe ?? 'ffprobe', 'configured');
  }
  return (await inspect('ffmpeg', 'ffprobe', 'path')) ?? (await locatePackagedTools());
}

/** The programs of the npm packages; null where they aren't installed. */
export async function locatePackagedTools(): Promise<VideoTools | null> {
  const [ffmpeg, ffprobe] = [installed('@ffmpeg-installer/ffmpeg'), installed('@ffprobe-installer/ffprobe')];
  return ffmpeg && ffprobe ? inspect(ffmpeg, ffprobe, 'package') : null;
}

async function inspect(ffmpeg: string, ffprobe: string, source: VideoTools['source']): Promise<VideoTools | null> {
  try {
    const [about, encoders, filters] = await Promise.all([
      print(ffmpeg, '-version'),
      print(ffmpeg, '-encoders'),
      print(ffmpeg, '-filters'),
      print(ffprobe, '-version'),
    ]);
    const isRecent = isFrom(about);
    if (source === 'path' && !isRecent) return null;
    const lacks = (listed: string, names: readonly string[]) =>
      names.some((name) => !new RegExp(`^\\s*\\S+\\s+${name}\\s`, 'm').test(listed));
    if (lacks(encoders, NEEDED.encoders) || lacks(filters, NEEDED.filters)) return null;
    const version = /^ffmpeg version (\S+)/.exec(about)?.[1] ?? 'unknown';
    return { ffmpeg, ffprobe, version, source, hasFrameRateMode: isRecent };
  } catch {
    return null;
  }
}

/** Builds from a repository have no version but a year. */
function isFrom(about: string): boolean {
  const [, major, minor] = /^ffmpeg version n?(\d+)\.(\d+)/.exec(about) ?? [];
  if (major !== undefined) {
    return Number(major) > OLDEST.major || (Number(major) === OLDEST.major && Number(minor) >= OLDEST.minor);
  }
  return Number(/Copyright \(c\) \d+-(\d+)/.exec(about)?.[1] ?? 0) > OLDEST.year;
}

async function print(program: string, option: string): Promise<string> {
  const { stdout } = await run(program, ['-hide_banner', option], { timeout: TIMEOUT_MS, maxBuffer: 4_000_000 });
  return stdout;
}

/** Path in a package for this platform; null where there is none. */
function installed(name: string): string | null {
  try {
    const found: unknown = createRequire(import.meta.url)(name);
    return typeof found === 'object' && found !== null && 'path' in found ? String(found.path) : null;
  } catch {
    return null;
  }
}
