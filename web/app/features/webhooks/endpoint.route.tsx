import { useActionData, useLoaderData } from '@remix-run/react';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import { useTranslation } from 'react-i18next';
import { WEBHOOKS_ADDRESS } from '../../session/account-tabs';
import { Notice } from '../../ui/content/notice';
import { buttonClass } from '../../ui/controls/button';
import { HiddenFields } from '../../ui/controls/choices';
import { SubmitButton, SubmitForm } from '../../ui/controls/submit-form';
import { AppLink } from '../../ui/page/app-link';
import { DeliveryLog } from './delivery-log';
import { EndpointForm } from './endpoint-form';
import { DoneNotice, EndpointReason, EndpointState, NotInPlan, Section } from './page-parts';
import { ShownSecret } from './shown-secret';
import { endpointAddress } from './webhook-addresses';
import { loadEndpoint } from './webhooks.server';
import { changeWebhooks } from './webhooks-actions.server';

export const handle = { i18n: ['webhooks', 'account'] };
export const loader = loadEndpoint;
export const action = changeWebhooks;
export { privateHeaders as headers, unlistedMeta as meta } from '../../http/page';

export default function EndpointPage() {
  const { endpoint, isInPlan, deliveries, requestId, flash } = useLoaderData<typeof loader>();
  const { secret = null, problem = null, result = null } = useActionData<typeof action>() ?? {};
  const { t } = useTranslation(['webhooks', 'common']);
  const isOfForm = result?.initialValue?.change === 'save';
  const isOn = endpoint.state === 'on';
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-1 flex-col gap-10 px-5 pt-2 pb-12 sm:px-8 sm:pt-4">
      <div className="flex flex-col items-start gap-3">
        <AppLink to={WEBHOOKS_ADDRESS} className={`-ms-4 ${buttonClass('ghost', 'small')} min-h-11`}>
          <ChevronLeft aria-hidden className="size-4 rtl:-scale-x-100" />
          {t('title')}
        </AppLink>
        <h1 className="text-title break-all">
          <bdi dir="ltr">{endpoint.url}</bdi>
        </h1>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-muted">
          <EndpointState endpoint={endpoint} />
          <time dateTime={endpoint.createdAt.iso}>{t('added', { date: endpoint.createdAt.text })}</time>
        </p>
        <p className="text-pretty empty:hidden">
          <EndpointReason endpoint={endpoint} />
        </p>
        <DoneNotice flash={flash} />
        {problem && !isOfForm && <Notice>{t(`common:errors.${problem.code}`)}</Notice>}
        {isInPlan && (
          <SubmitForm method="post" className="flex flex-wrap gap-3 pt-1">
            {isOn && (
              <SubmitButton kind="quiet" name="change" value="test">
                {t('endpoint.test')}
              </SubmitButton>
            )}
            <SubmitButton kind={isOn ? 'quiet' : 'primary'} name="change" value={isOn ? 'turnOff' : 'turnOn'}>
              {isOn ? t('endpoint.turnOff') : t('endpoint.turnOn')}
            </SubmitButton>
          </SubmitForm>
        )}
      </div>
      {secret && <ShownSecret secret={secret} label={t('secret.of', { url: endpoint.url })} />}
      {isInPlan ? (
        <>
          <Section title={t('endpoint.settings')}>
            <div className="rounded-picture bg-raised p-6 shadow-soft sm:p-8">
              <EndpointForm
                key={endpoint.id}
                endpoint={endpoint}
                requestId={requestId}
                result={isOfForm ? result : null}
                problem={isOfForm ? problem : null}
              />
            </div>
          </Section>
          <Section title={t('secret.title')}>
            <p className="text-pretty text-muted">
              {endpoint.overlapUntil ? t('secret.overlap', { time: endpoint.overlapUntil.text }) : t('secret.rollBody')}
            </p>
            <SubmitForm method="post">
              <HiddenFields fields={{ change: 'roll', requestId }} />
              <SubmitButton kind="quiet">{t('secret.roll')}</SubmitButton>
            </SubmitForm>
          </Section>
        </>
      ) : (
        <NotInPlan />
      )}
      <DeliveryLog deliveries={deliveries} page={endpointAddress(endpoint.id)} />
      <details className="group">
        <summary className={`list-none [&::-webkit-details-marker]:hidden ${buttonClass('quiet')}`}>
          {t('endpoint.delete')}
        </summary>
        <SubmitForm method="post" className="mt-4 flex flex-col items-start gap-4 rounded-card bg-well p-5">
          <p className="text-pretty">{t('endpoint.deleteBody')}</p>
          <SubmitButton kind="danger" name="change" value="delete">
            {t('endpoint.deleteConfirm')}
          </SubmitButton>
        </SubmitForm>
      </details>
    </div>
  );
}
