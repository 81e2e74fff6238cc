import { useState } from 'react';
import { useLocalPicture } from '../../../ui/picture/local-picture';
import type { OutputView, TaskView } from '../task/task-view';
import type { PictureFiles } from '../viewer/picture-files';

interface Pictures {
  readonly before: PictureFiles | null;
  readonly after: PictureFiles;
  /** Shown until `before` is loaded. */
  readonly placeholder: string | null;
  readonly arePending: boolean;
}

/**
 * URLs of the displayed pictures: display files, or the result itself until its own exists. An original is never loaded:
 * it may have 50 MB or a format that browsers don't show. They keep their first signed URLs, so that they load once.
 * @param latest the task as refreshed
 * @param compared shown in place of the original
 */
export function usePictures(
  { taskId, display, output }: TaskView & { readonly output: OutputView },
  latest: TaskView,
  compared: PictureFiles | null,
): Pictures {
  const placeholder = useLocalPicture(taskId);
  const { inputUrl, inputMediumUrl } = display.inputUrl ? display : latest.display;
  const outputDisplay = output.display ?? (latest.output?.id === output.id ? latest.output.display : null);
  const original = useFirst(inputUrl ? { url: inputUrl, mediumUrl: inputMediumUrl } : null, inputUrl ? 'display' : '');
  const after = useFirst(
    outputDisplay ?? { url: output.url, mediumUrl: null },
    `${output.id} ${outputDisplay ? 'display' : 'file'}`,
  );
  return {
    before: compared ?? original,
    after,
    placeholder: compared ? null : placeholder,
    arePending: !inputUrl || !outputDisplay,
  };
}

function useFirst<Files extends PictureFiles | null>(files: Files, file: string): Files {
  const [first, setFirst] = useState({ files, file });
  if (first.file === file) return first.files;
  setFirst({ files, file });
  return files;
}
