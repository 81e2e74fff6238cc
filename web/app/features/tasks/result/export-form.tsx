import { useFetcher, useLocation } from '@remix-run/react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { preserveVersionParam } from '../../../http/landing';
import { SubmitForm } from '../../../ui/controls/submit-form';
import type { exportResult } from './export.server';
import { ExportProblem } from './export-problem';

interface ExportFormProps {
  readonly taskId: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Around buttons that have a file made. Without script it leads to the file; with script the page stays and knows. */
export function ExportForm({ taskId, className, children }: ExportFormProps) {
  const { search } = useLocation();
  const fetcher = useFetcher<typeof exportResult>();
  const [isLive, setLive] = useState(false);
  useEffect(() => setLive(true), []);
  const answer = fetcher.data;
  const saved = useRef<typeof answer>(undefined);
  useEffect(() => {
    if (!answer?.downloadUrl || saved.current === answer) return;
    saved.current = answer;
    window.location.assign(answer.downloadUrl);
  }, [answer]);
  return (
    <>
      <SubmitForm
        fetcher={fetcher}
        method="post"
        action={preserveVersionParam('/result/export', search)}
        className={className}
      >
        <input type="hidden" name="taskId" value={taskId} />
        {isLive && <input type="hidden" name="byScript" value="yes" />}
        {children}
      </SubmitForm>
      {answer?.problem && <ExportProblem code={answer.problem.code} taskId={taskId} />}
    </>
  );
}
