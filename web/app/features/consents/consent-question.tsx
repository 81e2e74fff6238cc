import { useLocation } from '@remix-run/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSentForm } from '../../http/use-sent-form';
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
  const { isSending, problem, onSubmit } = useSentForm(sendPreference, onAccepted);

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
        // The page's form leads back to the page before.
        onSubmit={mode === 'page' ? undefined : onSubmit}
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
