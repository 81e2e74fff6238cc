import type { ErrorCode } from '@clearframe/contract';
import { Form, useLocation, useRevalidator } from '@remix-run/react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { send, UNREACHABLE } from '../../http/browser-client';
import { preserveVersionParam } from '../../http/internal-address';
import { Notice } from '../../ui/content/notice';
import { SubmitForm } from '../../ui/controls/submit-form';
import { AWAITS_SCRIPTS } from '../../ui/page/head/deferral';
import { ModalLink } from '../modals/modal-link';

/** No response, or a proxy's. */
type ExportFailure = ErrorCode | 'unreachable';

type Exported = { readonly downloadUrl: string } | { readonly problem: ExportFailure };

/** Longer than the server waits for the file. */
const TIMEOUT_MS = 40_000;

async function sendExport(address: string, form: FormData): Promise<Exported> {
  const { body, problem } = await send<{ readonly downloadUrl: string }>(address, form, TIMEOUT_MS);
  return problem ? { problem: problem === UNREACHABLE ? 'unreachable' : problem.code } : body;
}

/**
 * An export by script. It belongs to what outlives the form: an exported result needs none. A `fetcher` would show the
 * error page when the connection is lost.
 * @param onDownload the file is ready, and its download starts
 */
export function useExport(onDownload?: () => void) {
  const { search } = useLocation();
  const { revalidate } = useRevalidator();
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<ExportFailure | null>(null);
  const action = preserveVersionParam('/result/export', search);
  const submit = async (form: FormData): Promise<void> => {
    setSending(true);
    setProblem(null);
    const exported = await sendExport(action, form);
    setSending(false);
    if ('problem' in exported) {
      setProblem(exported.problem);
      // The file may still come: the page then waits for it.
      if (exported.problem === 'service.unavailable') revalidate();
      return;
    }
    onDownload?.();
    window.location.assign(exported.downloadUrl);
    // Another export needn't wait until the page has reloaded its data after this one.
    revalidate();
  };
  return { action, submit, problem, state: isSending ? 'submitting' : 'idle' } as const;
}

interface ExportFormProps {
  readonly exporting: ReturnType<typeof useExport>;
  readonly taskId: string;
  /** The displayed result. */
  readonly outputId: string;
  readonly className?: string;
  readonly children: ReactNode;
}

export function ExportForm({ exporting, taskId, outputId, className, children }: ExportFormProps) {
  const { action, state, problem, submit } = exporting;
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    void submit(new FormData(event.currentTarget, submitter));
  };
  return (
    <>
      <SubmitForm
        fetcher={{ Form, state }}
        method="post"
        action={action}
        className={className}
        onSubmit={onSubmit}
        {...{ [AWAITS_SCRIPTS]: '' }}
      >
        <input type="hidden" name="taskId" value={taskId} />
        <input type="hidden" name="outputId" value={outputId} />
        {children}
      </SubmitForm>
      {problem && <ExportProblem code={problem} taskId={taskId} />}
    </>
  );
}

export function ExportProblem({ code, taskId }: { readonly code: ExportFailure; readonly taskId: string }) {
  const { t } = useTranslation(['result', 'common']);
  return (
    <Notice>
      <p>{code === 'unreachable' ? t('exportLost') : t(`common:errors.${code}`)}</p>
      {code === 'exports.insufficient' && (
        <ModalLink
          modal="offer"
          with={{ topic: 'downloads', taskId }}
          className="font-medium underline underline-offset-4"
        >
          {t('plans')}
        </ModalLink>
      )}
    </Notice>
  );
}
