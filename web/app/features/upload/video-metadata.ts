/** What the browser reads from a file; the backend reads the file itself. */
export interface VideoMetadata {
  /** In seconds. */
  readonly duration: number;
  readonly width: number;
  readonly height: number;
}

/** A file that the browser can't read is sent without. */
const TIMEOUT_MS = 5_000;

const known = new WeakMap<File, Promise<VideoMetadata | null>>();

/** Null for files that the browser can't read. */
export function readVideoMetadata(file: File): Promise<VideoMetadata | null> {
  const reading = known.get(file) ?? loadMetadata(file);
  known.set(file, reading);
  return reading;
}

function loadMetadata(file: File): Promise<VideoMetadata | null> {
  const video = document.createElement('video');
  const url = URL.createObjectURL(file);
  return new Promise<VideoMetadata | null>((resolve) => {
    const timer = window.setTimeout(() => resolve(null), TIMEOUT_MS);
    const end = (metadata: VideoMetadata | null) => {
      window.clearTimeout(timer);
      resolve(metadata);
    };
    video.preload = 'metadata';
    video.onerror = () => end(null);
    video.onloadedmetadata = () => {
      const { duration, videoWidth: width, videoHeight: height } = video;
      end(Number.isFinite(duration) && duration > 0 ? { duration, width, height } : null);
    };
    video.src = url;
  }).finally(() => {
    video.removeAttribute('src');
    video.load();
    URL.revokeObjectURL(url);
  });
}
