import { addOutput, addUpload, newCommand, parametersOf } from './command.js';
import { FfmpegError, runTool } from './run.js';
import type { VideoWork } from './video-work.js';

/** From the start of a file: rates change little afterwards. */
const PACKETS = 100;
/** What H.264 and H.265 count from. */
const OFFSET = 26;
const HEADER = /(slice_qp_delta|init_qp_minus26)\s.*=\s*(-?\d+)$/;

/**
 * How coarsely the pictures of a video were compressed: the mean quantizer of H.264 or H.265, whose steps double every six. About 20 looks
 * like the original, 30 is usual on the web, 40 is plainly damaged. Null for other codecs.
 * @throws FfmpegInterruptedError, or the signal's reason
 */
export async function readQuantizer({ tools, path, metadata, limits }: VideoWork): Promise<number | null> {
  const command = addUpload(newCommand(), path);
  const traced = ['-c', 'copy', '-bsf:v', 'trace_headers', '-frames:v', String(PACKETS), '-f', 'null'];
  addOutput(command, '-', '-map', `0:${metadata.source.index}`, ...traced);
  let [start, sum, slices] = [0, 0, 0];
  const onLine = (line: string) => {
    const [, name, value] = HEADER.exec(line) ?? [];
    if (name === 'init_qp_minus26') start = Number(value);
    if (name === 'slice_qp_delta') {
      sum += OFFSET + start + Number(value);
      slices++;
    }
    return true;
  };
  try {
    await runTool(tools.ffmpeg, parametersOf(command, 'info'), { ...limits, onLine }).done;
  } catch (error) {
    // No such headers in other codecs, and a part of them in a file that is cut off.
    if (!(error instanceof FfmpegError)) throw error;
  }
  return slices > 0 ? sum / slices : null;
}
