import { useState } from 'react';
import { useLocalPicture } from '../../../ui/picture/local-picture';
import type { OutputView, TaskView } from '../task/task-view';

interface Pictures {
  readonly before: string | null;
  readonly after: string;
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
  compared: string | null,
): Pictures {
  const placeholder = useLocalPicture(taskId);
  const inputDisplay = display.inputUrl ?? latest.display.inputUrl;
  const outputDisplay = output.display ?? (latest.output?.id === output.id ? latest.output.display : null);
  const original = useFirst(inputDisplay, inputDisplay ? 'display' : '');
  const after = useFirst(outputDisplay?.url ?? output.url, `${output.id} ${outputDisplay ? 'display' : 'file'}`);
  return {
    before: compared ?? original,
    after,
    placeholder: compared ? null : placeholder,
    arePending: !inputDisplay || !outputDisplay,
  };
}

function useFirst<Url extends string | null>(url: Url, file: string): Url {
  const [first, setFirst] = useState({ url, file });
  if (first.file === file) return first.url;
  setFirst({ url, file });
  return url;
}
