import { VIDEO_CAPS } from '@clearframe/contract/media';
import ffmpeg, { type FfmpegCommand } from 'fluent-ffmpeg';
import type { VideoTools } from './locate.js';

/** Limit of one block of memory, in bytes: ten frames of 16 bits. */
const MAX_ALLOCATION = 600_000_000;

/**
 * Files are parsed as QuickTime or MP4 and may name no other file: a playlist called .mp4 could make ffmpeg read files
 * of this machine or open a connection.
 */
export const FORCED_INPUT = [
  '-protocol_whitelist',
  'file',
  '-format_whitelist',
  'mov',
  '-max_pixels',
  String(VIDEO_CAPS.maxPixels),
  '-f',
  'mov',
] as const;

const GLOBAL = ['-y', '-hide_banner', '-nostdin', '-nostats', '-max_alloc', String(MAX_ALLOCATION)] as const;

export const newCommand = (): FfmpegCommand => ffmpeg();

/** Adds an uploaded file. Options are separate arguments: fluent-ffmpeg splits elements of an array at spaces. */
export function addUpload(command: FfmpegCommand, path: string, ...options: string[]): FfmpegCommand {
  return command.input(`file:${path}`).inputOptions(...FORCED_INPUT, ...options);
}

export function addPipe(command: FfmpegCommand, ...options: string[]): FfmpegCommand {
  return command.input('pipe:0').inputOptions('-protocol_whitelist', 'pipe', ...options);
}

export function addOutput(command: FfmpegCommand, target: string, ...options: string[]): FfmpegCommand {
  return command.output(target).outputOptions(...options);
}

/** fluent-ffmpeg only builds the arguments: it can neither limit a process nor end its group. */
export function parametersOf(command: FfmpegCommand, logLevel: 'error' | 'info' = 'error'): string[] {
  const { _getArguments: build } = command as FfmpegCommand & { _getArguments(): string[] };
  return [...GLOBAL, '-loglevel', logLevel, ...build.call(command)];
}

/** Every frame keeps its time; older builds know the mode by another name. */
export const passthrough = ({ hasFrameRateMode }: VideoTools): readonly string[] =>
  hasFrameRateMode ? ['-fps_mode', 'passthrough'] : ['-vsync', '0'];
