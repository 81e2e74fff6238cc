import { useActionData, useLoaderData } from '@remix-run/react';
import ChevronRight from 'lucide-react/icons/chevron-right';
import { useTranslation } from 'react-i18next';
import { accountAddress, WEBHOOKS_ADDRESS } from '../../session/account-tabs';
import { Notice } from '../../ui/content/notice';
import { buttonClass } from '../../ui/controls/button';
import { HiddenFields } from '../../ui/controls/choices';
import { SubmitButton, SubmitForm } from '../../ui/controls/submit-form';
import { AppLink } from '../../ui/page/app-link';
import { LinkedText } from '../../ui/page/linked-text';
import { DeliveryLog } from './delivery-log';
import { EndpointForm } from './endpoint-form';
import { DoneNotice, EndpointReason, EndpointState, NotInPlan, Section } from './page-parts';
import { ShownSecret } from './shown-secret';
import { endpointAddress } from './webhook-addresses';
import { loadWebhooks } from './webhooks.server';
import { changeWebhooks } from './webhooks-actions.server';
import type { EndpointView } from './webhooks-view.server';

export const handle = { i18n: ['webhooks', 'account'] };
export const loader = loadWebhooks;
export const action = changeWebhooks;
export { privateHeaders as headers, unlistedMeta as meta } from '../../http/page';

export default function WebhooksPage() {
  const { endpoints, mayAdd, isInPlan, callbackSecretAt, deliveries, requestId, flash } =
    useLoaderData<typeof loader>();
  const { secret = null, problem = null, result = null } = useActionData<typeof action>() ?? {};
  const { t } = useTranslation(['webhooks', 'common', 'account']);
  const isOfForm = result?.initialValue?.change === 'save';
  return (
    <div className="mx-auto flex w-full max-w-3xl flex-1 flex-col gap-10 px-5 pt-2 pb-12 sm:px-8 sm:pt-4">
      <div className="flex flex-col gap-3">
        <h1 className="text-display-sm">{t('title')}</h1>
        <p className="text-lg text-pretty text-muted">
          <LinkedText text={t('lead')} links={{ guide: '/developers/results#webhooks' }} />
        </p>
        <DoneNotice flash={flash} />
        {problem && !isOfForm && <Notice>{t(`common:errors.${problem.code}`)}</Notice>}
      </div>
      {secret && (
        <ShownSecret
          secret={secret}
          label={secret.url === null ? t('callbacks.new') : t('secret.of', { url: secret.url })}
        />
      )}
      {!isInPlan && <NotInPlan />}
      {(isInPlan || endpoints.length > 0) && (
        <Section title={t('endpoints')}>
          {endpoints.length === 0 ? (
            <p className="rounded-card bg-well px-5 py-4 text-muted">{t('none')}</p>
          ) : (
            <ul className="flex flex-col gap-1 rounded-card bg-well p-2">
              {endpoints.map((endpoint) => (
                <Endpoint key={endpoint.id} endpoint={endpoint} />
              ))}
            </ul>
          )}
        </Section>
      )}
      {mayAdd && (
        <Section title={t('add.title')}>
          <div className="rounded-picture bg-raised p-6 shadow-soft sm:p-8">
            <EndpointForm
              // Empty again once it is added.
              key={endpoints.length}
              endpoint={null}
              requestId={requestId}
              result={isOfForm ? result : null}
              problem={isOfForm ? problem : null}
            />
          </div>
        </Section>
      )}
      {isInPlan && !mayAdd && (
        <p className="text-pretty text-muted">{t('common:errors.webhook_endpoints.limit_reached')}</p>
      )}
      <Section title={t('callbacks.title')}>
        <p className="text-pretty text-muted">
          {t('callbacks.body')} {callbackSecretAt && t('secret.created', { date: callbackSecretAt.text })}
        </p>
        {callbackSecretAt && <p className="text-pretty text-muted">{t('secret.rollBody')}</p>}
        <SubmitForm method="post">
          <HiddenFields fields={{ change: 'roll', requestId }} />
          <SubmitButton kind="quiet">{callbackSecretAt ? t('secret.roll') : t('callbacks.create')}</SubmitButton>
        </SubmitForm>
      </Section>
      <DeliveryLog deliveries={deliveries} page={WEBHOOKS_ADDRESS} />
      <AppLink to={accountAddress('pluginKey')} className={`self-start ${buttonClass('quiet')}`}>
        {t('account:pluginKey.title')}
      </AppLink>
    </div>
  );
}

function Endpoint({ endpoint }: { readonly endpoint: EndpointView }) {
  const { t } = useTranslation('webhooks');
  return (
    <li>
      <AppLink
        to={endpointAddress(endpoint.id)}
        className="flex min-h-12 items-center gap-3 rounded-control px-3 py-2.5 transition hover:bg-quiet"
      >
        <span className="flex min-w-0 flex-1 flex-col gap-1">
          <bdi dir="ltr" className="font-medium break-all rtl:text-right">
            {endpoint.url}
          </bdi>
          <span className="text-sm text-pretty text-muted">
            {t('eventCount', { count: endpoint.events.length })}
            <span className="block empty:hidden">
              <EndpointReason endpoint={endpoint} />
            </span>
          </span>
        </span>
        <EndpointState endpoint={endpoint} />
        <ChevronRight aria-hidden className="size-4 shrink-0 text-muted rtl:-scale-x-100" />
      </AppLink>
    </li>
  );
}
