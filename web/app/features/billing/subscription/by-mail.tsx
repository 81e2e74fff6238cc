import { getFormProps, useForm } from '@conform-to/react';
import { useTranslation } from 'react-i18next';
import { MessagePage } from '../../../ui/content/message-page';
import { Notice } from '../../../ui/content/notice';
import { buttonClass } from '../../../ui/controls/button';
import { SubmitButton, SubmitForm } from '../../../ui/controls/submit-form';
import { TextField } from '../../../ui/controls/text-field';
import { useFormModule } from '../../../ui/controls/use-form-module';
import { AppLink } from '../../../ui/page/app-link';
import type { MailPurpose, MailStep, OpenMailStep } from './mail-step';

interface ByMailProps {
  readonly purpose: MailPurpose;
  readonly step: MailStep;
}

/** Asks for an e-mail address, then for the code that was sent there. */
export function ByMail({ purpose, step }: ByMailProps) {
  const { t } = useTranslation(['account', 'common']);
  if (step.kind === 'done') {
    return (
      <MessagePage
        title={t('byMail.cancel.done')}
        actions={
          <AppLink to="/" className={buttonClass('primary')}>
            {t('erased.home')}
          </AppLink>
        }
      >
        <p>{step.until === null ? t('byMail.cancel.now') : t('byMail.cancel.until', { date: step.until })}</p>
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
  const schema = useFormModule(() => import('./mail-form'));
  const [form, fields] = useForm<{ email: string; code?: string }>({
    lastResult: result,
    defaultValue: { email },
    onValidate: schema && (({ formData }) => schema.parseMailForm(formData, kind)),
  });
  const codeError = () => (problem ? t(`common:errors.${problem.code}`) : t('common:errors.billing.code_invalid'));
  return (
    <section className="mx-auto flex w-full max-w-xl flex-1 flex-col justify-center gap-6 px-5 py-10 sm:px-8">
      <h1 className="text-display-sm">{t(`byMail.${purpose}.title`)}</h1>
      {problem && !result && <Notice>{t(`common:errors.${problem.code}`)}</Notice>}
      <p className="text-lg text-pretty text-muted" role={kind === 'code' ? 'status' : undefined}>
        {kind === 'code' ? t('byMail.sent', { email }) : t(`byMail.${purpose}.lead`)}
        {kind === 'email' && purpose === 'portal' && ` ${t('byMail.portal.paypal')}`}
      </p>
      <SubmitForm {...getFormProps(form)} method="post" className="flex flex-col items-start gap-5">
        {kind === 'email' ? (
          <TextField
            key={fields.email.key}
            id={fields.email.id}
            name={fields.email.name}
            defaultValue={fields.email.initialValue}
            label={t('byMail.email')}
            error={fields.email.errors ? t('tiers:checkout.receipt.invalid') : null}
            inputMode="email"
            autoComplete="email"
            autoCapitalize="none"
          />
        ) : (
          <>
            <input type="hidden" name="email" value={email} />
            <TextField
              key={fields.code.key}
              id={fields.code.id}
              name={fields.code.name}
              label={t('byMail.code')}
              error={fields.code.errors ? codeError() : null}
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
