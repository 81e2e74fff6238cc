import { useLocation } from '@remix-run/react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProblemView } from '../../http/browser-client';
import { Notice } from '../../ui/content/notice';
import { Button } from '../../ui/controls/button';
import { ModalActions, ModalLead, ModalTitle, useModalFrame } from '../../ui/modal/modal-frame';
import { LinkedText } from '../../ui/page/linked-text';
import { type AskedConsent, CONSENT_ADDRESSES } from './consent-address';
import { sendPreference } from './send-preference';

const LINKS = { privacy: '/privacy-and-cookie-policy#photos' };

interface ConsentQuestionProps {
  readonly consent: AskedConsent;
  readonly onAccepted: () => Promise<void>;
  /** The choice to decline, of equal weight. */
  readonly children: ReactNode;
}

export function ConsentQuestion({ consent, onAccepted, children }: ConsentQuestionProps) {
  const { t } = useTranslation(['account', 'common']);
  const { mode } = useModalFrame();
  const { search } = useLocation();
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<ProblemView | null>(null);

  async function accept(event: FormEvent<HTMLFormElement>): Promise<void> {
    // The page's form leads back to the page before.
    if (mode === 'page') return;
    event.preventDefault();
    setSending(true);
    setProblem(null);
    const answer = await sendPreference(new FormData(event.currentTarget));
    setSending(false);
    setProblem(answer.problem);
    if (!answer.problem) await onAccepted();
  }

  return (
    <>
      <ModalTitle>{t(`${consent}.title`)}</ModalTitle>
      <ModalLead>
        <p>
          <LinkedText text={t(`${consent}.body`)} links={LINKS} target="_blank" />
        </p>
      </ModalLead>
      {problem && <Notice>{t(`common:errors.${problem.code}`)}</Notice>}
      <form
        method="post"
        action={`${CONSENT_ADDRESSES[consent]}${mode === 'page' ? search : ''}`}
        onSubmit={(event) => void accept(event)}
      >
        <input type="hidden" name="change" value={consent} />
        <input type="hidden" name="isGranted" value="yes" />
        <ModalActions>
          <Button type="submit" kind="quiet" disabled={isSending}>
            {t(`${consent}.accept`)}
          </Button>
          {children}
        </ModalActions>
      </form>
    </>
  );
}
