import type { SubmissionResult } from '@conform-to/dom';
import { useTranslation } from 'react-i18next';
import type { ProblemView } from '../../http/browser-client';
import { MessagePage } from '../../ui/content/message-page';
import { Notice } from '../../ui/content/notice';
import { buttonClass } from '../../ui/controls/button';
import { TextField } from '../../ui/controls/fields';
import { SubmitButton, SubmitForm } from '../../ui/controls/submit-form';
import { useForm } from '../../ui/controls/use-form';
import { AppLink } from '../../ui/page/app-link';
import { CancelProblem } from './cancel-problem';

export type MailPurpose = 'cancel' | 'portal';

interface OpenMailStep {
  readonly kind: 'email' | 'code';
  readonly email: string;
  readonly problem: ProblemView | null;
  readonly result: SubmissionResult | null;
}

export type MailStep =
  | OpenMailStep
  /** `until`: formatted end of access. */
  | { readonly kind: 'done'; readonly until: string | null };

const FIRST_STEP: MailStep = { kind: 'email', email: '', problem: null, result: null };

interface ByMailProps {
  readonly purpose: MailPurpose;
  /** Absent before the first form. */
  readonly step: MailStep | undefined;
}

export function ByMail({ purpose, step = FIRST_STEP }: ByMailProps) {
  const { t } = useTranslation(['account', 'common']);
  if (step.kind === 'done') {
    return (
      <MessagePage
        title={t('cancel.done')}
        actions={
          <AppLink to="/" className={buttonClass('primary')}>
            {t('erased.home')}
          </AppLink>
        }
      >
        <p>{step.until === null ? t('byMail.cancel.now') : t('cancel.body', { date: step.until })}</p>
      </MessagePage>
    );
  }
  return <MailForm key={step.kind} purpose={purpose} step={step} />;
}

interface MailFormProps {
  readonly purpose: MailPurpose;
  readonly step: OpenMailStep;
}

function MailForm({ purpose, step }: MailFormProps) {
  const { t } = useTranslation(['account', 'common', 'tiers']);
  const { kind, email, problem, result } = step;
  const { form, field } = useForm({
    result,
    load: () => import('./mail-form'),
    parse: ({ parseMailForm }, fields) => parseMailForm(fields, kind),
  });
  return (
    <section className="mx-auto flex w-full max-w-xl flex-1 flex-col justify-center gap-6 px-5 py-10 sm:px-8">
      <h1 className="text-display-sm">{t(`byMail.${purpose}.title`)}</h1>
      {problem &&
        (purpose === 'cancel' ? (
          <CancelProblem code={problem.code} />
        ) : (
          <Notice>{t(`common:errors.${problem.code}`)}</Notice>
        ))}
      <div className="text-lg text-pretty text-muted" role={kind === 'code' ? 'status' : undefined}>
        <p>{kind === 'code' ? t('byMail.sent', { email }) : t('byMail.lead')}</p>
        {kind === 'email' && purpose === 'portal' && <p>{t('byMail.portal.paypal')}</p>}
      </div>
      <SubmitForm {...form} method="post" className="flex flex-col items-start gap-5">
        {kind === 'email' ? (
          <TextField
            field={field('email')}
            label={t('byMail.email')}
            error={t('tiers:checkout.receipt.invalid')}
            inputMode="email"
            autoComplete="email"
            autoCapitalize="none"
          />
        ) : (
          <>
            <input type="hidden" name="email" value={email} />
            <TextField
              field={field('code')}
              label={t('byMail.code')}
              error={t('common:errors.billing.code_invalid')}
              autoComplete="one-time-code"
            />
          </>
        )}
        <SubmitButton kind={kind === 'code' && purpose === 'cancel' ? 'danger' : 'primary'}>
          {kind === 'email' ? t('byMail.send') : t(`byMail.${purpose}.confirm`)}
        </SubmitButton>
      </SubmitForm>
      {kind === 'code' && (
        <SubmitForm method="post">
          <input type="hidden" name="email" value={email} />
          <SubmitButton kind="quiet" size="small" className="min-h-11">
            {t('byMail.again')}
          </SubmitButton>
        </SubmitForm>
      )}
    </section>
  );
}
