import type { SurveyKind } from '@clearframe/contract';
import type { SubmissionResult } from '@conform-to/dom';
import { useLocation } from '@remix-run/react';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { submit as submitForm } from '../../http/browser-client';
import { track } from '../../telemetry/telemetry';
import { Notice } from '../../ui/content/notice';
import { Button, buttonClass } from '../../ui/controls/button';
import { type FormField, useForm } from '../../ui/controls/use-form';
import { ModalActions, ModalLead, ModalTitle, useModalFrame } from '../../ui/modal/modal-frame';
import { AppLink } from '../../ui/page/app-link';
import type { ModalHandle } from '../modals/catalogue';
import { SURVEY_ADDRESSES, type SurveyStep } from './survey-address';
import { DECLINE_FIELD } from './survey-fields';

export type SurveyModalId = 'survey:features' | 'survey:onboarding';

interface SurveyProps {
  readonly survey: SurveyKind;
  readonly step: SurveyStep;
  readonly modal: Pick<ModalHandle<SurveyModalId>, 'close' | 'change' | 'addressOf'>;
  /** Conform's, of a form that the action refused. */
  readonly result: SubmissionResult | null;
  readonly texts: {
    readonly title: string;
    readonly lead: string;
    readonly decline: string;
    /** Text of the button before the questions, if the survey has that step. */
    readonly start?: string;
  };
  readonly children: (field: (name: string) => FormField) => ReactNode;
}

/** Spec 1, section 9. */
const CLOSE_DELAY_MS = 2_000;

/** A start, the questions, thanks. Declining is possible at each step. */
export function Survey({ survey, step, modal, result, texts, children }: SurveyProps) {
  const { t } = useTranslation(['surveys', 'common']);
  useEffect(() => {
    // The action tracks the end, with the answers.
    if (step !== 'end') track('survey', { survey, action: step });
  }, [survey, step]);
  useEffect(() => {
    if (step !== 'end') return;
    const timer = setTimeout(() => void modal.close('answered'), CLOSE_DELAY_MS);
    return () => clearTimeout(timer);
  }, [step, modal]);

  if (step === 'end')
    return (
      <div role="status" className="flex flex-col gap-3">
        <ModalTitle>{t('thanks.title')}</ModalTitle>
        <ModalLead>
          <p>{t('thanks.body')}</p>
        </ModalLead>
      </div>
    );
  return (
    <>
      <ModalTitle>{texts.title}</ModalTitle>
      <ModalLead>
        <p>{texts.lead}</p>
      </ModalLead>
      <SurveyForm survey={survey} step={step} modal={modal} result={result} texts={texts}>
        {children}
      </SurveyForm>
    </>
  );
}

function SurveyForm({ survey, step, modal, result, texts, children }: SurveyProps) {
  const { t } = useTranslation(['surveys', 'common']);
  const { mode } = useModalFrame();
  const { search } = useLocation();
  const [isSending, setSending] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const { form, field } = useForm({
    result,
    load: () => import('./survey-form'),
    parse: ({ parseSurvey }, fields) => parseSurvey(fields, survey),
  });

  async function submit(event: FormEvent<HTMLFormElement>): Promise<void> {
    form.onSubmit(event);
    // The page's form leads to its next step.
    if (mode === 'page' || event.defaultPrevented) return;
    event.preventDefault();
    const { submitter } = event.nativeEvent as SubmitEvent;
    const fields = new FormData(event.currentTarget, submitter);
    setSending(true);
    const isStored = await submitForm(SURVEY_ADDRESSES[survey], fields);
    setSending(false);
    setFailed(!isStored);
    if (fields.has(DECLINE_FIELD)) await modal.close('declined');
    else if (isStored) modal.change({ step: 'end' });
  }

  const start = step === 'start' ? texts.start : undefined;
  return (
    <form
      {...form}
      method="post"
      action={`${SURVEY_ADDRESSES[survey]}${mode === 'page' ? search : ''}`}
      onSubmit={(event) => void submit(event)}
      className="flex flex-col gap-6"
    >
      {start === undefined && children(field as (name: string) => FormField)}
      {hasFailed && <Notice>{t('common:errors.service.unavailable')}</Notice>}
      <ModalActions>
        {start === undefined ? (
          // With a key: as the same element, the pressed start button would become this one and submit at once.
          <Button key="send" type="submit" kind="primary" disabled={isSending}>
            {t('send')}
          </Button>
        ) : mode === 'page' ? (
          <AppLink to={modal.addressOf({ step: 'ongoing' })} className={buttonClass('primary')}>
            {start}
          </AppLink>
        ) : (
          <Button kind="primary" data-autofocus="" onClick={() => modal.change({ step: 'ongoing' })}>
            {start}
          </Button>
        )}
        <Button type="submit" kind="quiet" name={DECLINE_FIELD} value="yes" formNoValidate disabled={isSending}>
          {texts.decline}
        </Button>
      </ModalActions>
    </form>
  );
}
