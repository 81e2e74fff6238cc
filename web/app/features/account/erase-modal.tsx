import type { SubmissionResult } from '@conform-to/dom';
import { useLocation } from '@remix-run/react';
import { useTranslation } from 'react-i18next';
import { CheckboxField, TextField } from '../../ui/controls/fields';
import { SubmitButton, SubmitForm } from '../../ui/controls/submit-form';
import { useForm } from '../../ui/controls/use-form';
import { ModalActions, ModalChoice, ModalLead, ModalTitle, useModalFrame } from '../../ui/modal/modal-frame';
import type { ModalBodyProps } from '../modals/catalogue';
import type { ErasureView } from './erasure-view.server';

interface EraseContentsProps extends ModalBodyProps<'account:erase'> {
  readonly result?: SubmissionResult | null;
}

export function EraseModal({ erasure, result = null, modal }: EraseContentsProps) {
  const { t } = useTranslation('account');
  const { email } = erasure;
  const { mode } = useModalFrame();
  const { search } = useLocation();
  const { form, field, isReady, isValid } = useForm({
    result,
    load: () => import('./erase-form'),
    parse: ({ parseErase }, fields) => parseErase(fields, email),
    keepsDraft: false,
  });
  return (
    <>
      <ModalTitle>{email === null ? t('erase.guestTitle') : t('erase.title')}</ModalTitle>
      <ModalLead>
        <p>{t('erase.lead')}</p>
      </ModalLead>
      <EraseLosses erasure={erasure} />
      <SubmitForm
        {...form}
        method="post"
        action={`/account/erase${mode === 'page' ? search : ''}`}
        className="flex flex-col gap-5"
      >
        {email === null ? (
          <CheckboxField field={field('sure')} label={t('erase.sure')} value="yes" error={t('erase.notChecked')} />
        ) : (
          <TextField
            field={field('email')}
            label={
              <>
                {t('erase.write')}{' '}
                <span className="block break-words text-muted">
                  <bdi>{email}</bdi>
                </span>
              </>
            }
            error={t('erase.notTheSame')}
            inputMode="email"
            autoComplete="off"
            autoCapitalize="none"
          />
        )}
        <ModalActions>
          <SubmitButton kind="danger" disabled={isReady && !isValid}>
            {t('erase.confirm')}
          </SubmitButton>
          <ModalChoice kind="quiet" onChoose={() => void modal.close('kept')}>
            {t('erase.keep')}
          </ModalChoice>
        </ModalActions>
      </SubmitForm>
    </>
  );
}

function EraseLosses({ erasure }: { readonly erasure: ErasureView }) {
  const { t } = useTranslation('account');
  const { subscription, hasMobileSubscription, giftUntil, credits } = erasure;
  return (
    <ul className="list-disc space-y-2 ps-5 text-pretty marker:text-muted">
      {subscription && <SubscriptionLoss subscription={subscription} />}
      {hasMobileSubscription && <li>{t('erase.losses.mobile')}</li>}
      {giftUntil && <li>{t('erase.losses.gift', { date: giftUntil.text })}</li>}
      {credits > 0 && <li>{t('erase.losses.credits', { count: credits })}</li>}
      <li>{t('erase.losses.records')}</li>
    </ul>
  );
}

function SubscriptionLoss({
  subscription: { plan, kind, until },
}: {
  readonly subscription: NonNullable<ErasureView['subscription']>;
}) {
  const { t } = useTranslation('account');
  const name = t(`subscription.plans.${plan}`);
  if (kind !== 'paid') return <li>{t(`erase.losses.${kind}`, { plan: name })}</li>;
  return (
    <li>
      {until ? t('erase.losses.paid', { plan: name, date: until.text }) : t('erase.losses.paidUnknown', { plan: name })}
    </li>
  );
}
