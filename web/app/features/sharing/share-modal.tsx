import { SHARING_DAYS } from '@clearframe/contract';
import { useLocation } from '@remix-run/react';
import Copy from 'lucide-react/icons/copy';
import Link2Off from 'lucide-react/icons/link-2-off';
import Send from 'lucide-react/icons/send';
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ProblemView, send } from '../../http/browser-client';
import { preserveVersionParam, RETURN_PARAMETER, returnAddressIn } from '../../http/internal-address';
import { useData } from '../../http/use-data';
import type { FormattedDate } from '../../i18n/formatted-date';
import { Notice } from '../../ui/content/notice';
import { Skeleton } from '../../ui/content/waiting';
import { Button } from '../../ui/controls/button';
import { SubmitButton } from '../../ui/controls/submit-form';
import { useCopy } from '../../ui/controls/use-copy';
import { ModalActions, ModalLead, ModalTitle } from '../../ui/modal/modal-frame';
import { useToast } from '../../ui/toast/toast-list';
import type { ModalBodyProps } from '../modals/catalogue';

export interface ShareLink {
  readonly sharingId: string;
  readonly url: string;
  readonly until: FormattedDate;
}

/** The address that changes links, for forms and scripts. */
const SHARE_LINK_ADDRESS = '/share/link';

interface ShareResponse {
  readonly link: ShareLink | null;
}

export function ShareModal({ taskId, link: loaded }: ModalBodyProps<'share'>) {
  const { t } = useTranslation(['result', 'common']);
  const { show } = useToast();
  const { data, error, mutate } = useData<ShareResponse>(`${SHARE_LINK_ADDRESS}?${new URLSearchParams({ taskId })}`, {
    ...(loaded !== undefined && { fallbackData: { link: loaded }, revalidateOnMount: false }),
  });
  const link = data?.link;
  const [refusal, setRefusal] = useState<ProblemView | null>(null);
  const problem = refusal ?? error?.problem ?? null;
  const [isBusy, setBusy] = useState(false);

  const onSubmit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    setBusy(true);
    const answer = await send<ShareResponse>(SHARE_LINK_ADDRESS, new FormData(event.currentTarget));
    setBusy(false);
    setRefusal(answer.problem);
    if (answer.problem) return;
    await mutate(answer.body, { revalidate: false });
    if (link) show(t('share.stopped'));
  };
  const form = { taskId, isBusy, onSubmit: (event: FormEvent<HTMLFormElement>) => void onSubmit(event) };

  return (
    <>
      <ModalTitle>{t('share.title')}</ModalTitle>
      <ModalLead>
        <p>{t('share.lead', { days: SHARING_DAYS })}</p>
      </ModalLead>
      {problem && <Notice>{t(`common:errors.${problem.code}`)}</Notice>}
      {link === undefined && !problem && <Skeleton className="h-12 w-full rounded-control" />}
      {link === undefined && problem && (
        <ModalActions>
          <Button kind="primary" onClick={() => void mutate()}>
            {t('common:tryAgain')}
          </Button>
        </ModalActions>
      )}
      {link === null && (
        <ShareForm {...form}>
          <SubmitButton kind="primary" disabled={isBusy}>
            {t('share.create')}
          </SubmitButton>
        </ShareForm>
      )}
      {link && (
        <>
          <LinkField url={link.url} />
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="text-sm text-muted">
              <time dateTime={link.until.iso}>{t('share.until', { date: link.until.text })}</time>
            </p>
            <ShareForm {...form} sharingId={link.sharingId}>
              <SubmitButton kind="quiet" size="small" className="min-h-11" disabled={isBusy}>
                <Link2Off aria-hidden className="size-4" />
                {t('share.stop')}
              </SubmitButton>
            </ShareForm>
          </div>
        </>
      )}
    </>
  );
}

interface ShareFormProps {
  readonly taskId: string;
  readonly sharingId?: string;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  readonly children: ReactNode;
}

function ShareForm({ taskId, sharingId, onSubmit, children }: ShareFormProps) {
  const { search } = useLocation();
  return (
    <form method="post" action={preserveVersionParam(SHARE_LINK_ADDRESS, search)} onSubmit={onSubmit}>
      <input type="hidden" name={RETURN_PARAMETER} value={returnAddressIn(search)} />
      <input type="hidden" name="taskId" value={taskId} />
      {sharingId && <input type="hidden" name="sharingId" value={sharingId} />}
      {children}
    </form>
  );
}

/** A link to copy; on phones also to send with the device's own dialog. */
function LinkField({ url }: { readonly url: string }) {
  const { t } = useTranslation('result');
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [canSend, setCanSend] = useState(false);
  useEffect(() => setCanSend('share' in navigator && window.matchMedia('(pointer: coarse)').matches), []);

  const copy = useCopy(field, { copied: t('share.copied'), failed: t('share.copyFailed') });
  const send = () => {
    navigator.share({ url, title: t('shared.title') }).catch((error: Error) => {
      if (error.name !== 'AbortError') void copy();
    });
  };
  return (
    <div className="flex flex-col gap-3">
      <label htmlFor={id} className="sr-only">
        {t('share.link')}
      </label>
      <input
        ref={field}
        id={id}
        type="url"
        readOnly
        dir="ltr"
        value={url}
        className="field"
        onFocus={(event) => event.currentTarget.select()}
      />
      <div className="flex flex-wrap gap-3 nojs:hidden">
        {canSend && (
          <Button kind="primary" className="flex-1" onClick={send}>
            <Send aria-hidden className="size-5 rtl:-scale-x-100" />
            {t('share.send')}
          </Button>
        )}
        <Button kind={canSend ? 'quiet' : 'primary'} className="flex-1" onClick={() => void copy()}>
          <Copy aria-hidden className="size-5" />
          {t('share.copy')}
        </Button>
      </div>
    </div>
  );
}
