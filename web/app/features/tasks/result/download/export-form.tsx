import { useFetcher, useLocation } from '@remix-run/react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { preserveVersionParam } from '../../../../http/internal-address';
import { SubmitForm } from '../../../../ui/controls/submit-form';
import type { exportResult } from './export.server';
import { ExportProblem } from './export-problem';

/**
 * An export by script. It belongs to what outlives the form: an exported result needs none.
 * @param onDownload the file is ready, and its download starts
 */
export function useExport(onDownload?: () => void) {
  const fetcher = useFetcher<typeof exportResult>();
  const result = fetcher.data;
  const downloaded = useRef<typeof result>(undefined);
  useEffect(() => {
    if (!result?.downloadUrl || downloaded.current === result) return;
    downloaded.current = result;
    onDownload?.();
    window.location.assign(result.downloadUrl);
  }, [result, onDownload]);
  // Another export needn't wait until the page has reloaded its data after this one.
  const isAnswered = fetcher.state === 'loading' && result !== undefined;
  return { Form: fetcher.Form, data: result, state: isAnswered ? 'idle' : fetcher.state } as const;
}

interface ExportFormProps {
  readonly fetcher: ReturnType<typeof useExport>;
  readonly taskId: string;
  /** The displayed result. */
  readonly outputId: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A form that exports a file and downloads it. With JavaScript errors are shown in place. */
export function ExportForm({ fetcher, taskId, outputId, className, children }: ExportFormProps) {
  const { search } = useLocation();
  const [isHydrated, setHydrated] = useState(false);
  useEffect(() => setHydrated(true), []);
  const problem = fetcher.data?.problem;
  return (
    <>
      <SubmitForm
        fetcher={fetcher}
        method="post"
        action={preserveVersionParam('/result/export', search)}
        className={className}
      >
        <input type="hidden" name="taskId" value={taskId} />
        <input type="hidden" name="outputId" value={outputId} />
        {isHydrated && <input type="hidden" name="byScript" value="yes" />}
        {children}
      </SubmitForm>
      {problem && <ExportProblem code={problem.code} taskId={taskId} />}
    </>
  );
}
