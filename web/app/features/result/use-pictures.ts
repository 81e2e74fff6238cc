import { useState } from 'react';
import { useLocalPicture } from '../../ui/picture/local-picture';
import type { OutputView, TaskView } from '../tasks/task-view';
import type { PictureFiles } from '../viewer/picture-files';

interface Pictures {
  readonly before: PictureFiles | null;
  readonly after: PictureFiles;
  /** Shown until `before` is loaded. */
  readonly placeholder: string | null;
  /** Call when a file doesn't load. */
  readonly onBroken: (files: PictureFiles) => void;
}

/**
 * URLs of display files, or of the result until its own exists, never of an original, which may have 50 MB or a format
 * that browsers don't show. The first signed URLs are kept, so that pictures load once, until one fails.
 * @param latest the task as refreshed
 * @param compared shown in place of the original
 */
export function usePictures(
  { taskId, display, output }: TaskView & { readonly output: OutputView },
  latest: TaskView,
  compared: PictureFiles | null,
): Pictures {
  const placeholder = useLocalPicture(taskId);
  const [broken, setBroken] = useState<readonly string[]>([]);
  const { inputUrl, inputMediumUrl } = latest.display.inputUrl ? latest.display : display;
  const outputDisplay = displayOf(output, latest);
  const original = useFirst(
    inputUrl ? { url: inputUrl, mediumUrl: inputMediumUrl } : null,
    inputUrl ? 'display' : '',
    broken,
  );
  const after = useFirst(
    outputDisplay ?? { url: output.url, mediumUrl: null },
    `${output.id} ${outputDisplay ? 'display' : 'file'} ${output.isEncoding}`,
    broken,
  );
  return {
    before: compared ?? original,
    after,
    placeholder: compared ? null : placeholder,
    onBroken: ({ url }) => setBroken((urls) => [...urls, url]),
  };
}

/** Display files are still encoded. */
export const arePicturesPending = (
  { display, output }: TaskView & { readonly output: OutputView },
  latest: TaskView,
): boolean => !(latest.display.inputUrl || display.inputUrl) || !displayOf(output, latest) || output.isEncoding;

const displayOf = (output: OutputView, latest: TaskView) =>
  (latest.output?.id === output.id ? latest.output.display : null) ?? output.display;

function useFirst<Files extends PictureFiles | null>(files: Files, file: string, broken: readonly string[]): Files {
  const [first, setFirst] = useState({ files, file });
  const isBroken = first.files !== null && broken.includes(first.files.url);
  if (first.file === file && (!isBroken || files?.url === first.files?.url)) return first.files;
  setFirst({ files, file });
  return files;
}
