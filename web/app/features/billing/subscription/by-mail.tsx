import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { MessagePage } from '../../../ui/content/message-page';
import { Notice } from '../../../ui/content/notice';
import { buttonClass } from '../../../ui/controls/button';
import { SubmitButton, SubmitForm } from '../../../ui/controls/submit-form';
import { AppLink } from '../../../ui/page/app-link';
import type { MailPurpose, MailStep } from './mail-step';

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
  const { kind, email, problem } = step;
  return (
    <section className="mx-auto flex w-full max-w-xl flex-1 flex-col justify-center gap-6 px-5 py-10 sm:px-8">
      <h1 className="text-display-sm">{t(`byMail.${purpose}.title`)}</h1>
      {problem && <Notice>{t(`common:errors.${problem.code}`)}</Notice>}
      <p className="text-lg text-pretty text-muted" role={kind === 'code' ? 'status' : undefined}>
        {kind === 'code' ? t('byMail.sent', { email }) : t(`byMail.${purpose}.lead`)}
        {kind === 'email' && purpose === 'portal' && ` ${t('byMail.portal.paypal')}`}
      </p>
      <SubmitForm key={kind} method="post" className="flex flex-col items-start gap-5">
        {kind === 'email' ? (
          <Field
            label={t('byMail.email')}
            name="email"
            type="email"
            autoComplete="email"
            defaultValue={email}
            isRefused={problem !== null}
          />
        ) : (
          <>
            <input type="hidden" name="email" value={email} />
            <Field
              label={t('byMail.code')}
              name="code"
              type="text"
              autoComplete="one-time-code"
              isRefused={problem !== null}
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

interface FieldProps {
  readonly label: string;
  readonly name: 'email' | 'code';
  readonly type: 'email' | 'text';
  readonly autoComplete: string;
  readonly defaultValue?: string;
  readonly isRefused: boolean;
}

function Field({ label, isRefused, ...rest }: FieldProps) {
  const id = useId();
  return (
    <div className="flex w-full flex-col gap-1.5">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      <input
        id={id}
        required
        dir="ltr"
        spellCheck={false}
        aria-invalid={isRefused || undefined}
        className="field"
        {...rest}
      />
    </div>
  );
}
