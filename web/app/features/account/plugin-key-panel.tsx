import ChartColumn from 'lucide-react/icons/chart-column';
import Webhook from 'lucide-react/icons/webhook';
import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { accountAddress, USAGE_ADDRESS, WEBHOOKS_ADDRESS } from '../../session/account-tabs';
import { Badge } from '../../ui/content/badge';
import { Notice } from '../../ui/content/notice';
import { buttonClass } from '../../ui/controls/button';
import { ModalLead, ModalTitle } from '../../ui/modal/modal-frame';
import { AppLink } from '../../ui/page/app-link';
import { useToast } from '../../ui/toast/toast-list';
import { ModalLink } from '../modals/modal-link';
import { CreateKeyForm } from '../plugin-keys/create-key-form';
import { CreatedKey } from '../plugin-keys/created-key';
import { HowToUseKey } from '../plugin-keys/how-to-use-key';
import { type PluginKeysView, type PluginKeyView, withChanged, withoutKey } from '../plugin-keys/plugin-keys';
import type { PanelProps } from './panel';
import { Group, ROW, RowContents } from './rows';

export function PluginKeyPanel({ account, onChange }: PanelProps) {
  const { t } = useTranslation('account');
  const { pluginKeys } = account;
  const list = useRef<HTMLDivElement>(null);
  const hasRemoved = useRef(false);
  const shownKeys = pluginKeys?.keys;
  // The link of the removed key had the focus.
  useLayoutEffect(() => {
    if (hasRemoved.current && shownKeys) list.current?.focus();
    hasRemoved.current = false;
  }, [shownKeys]);
  if (!pluginKeys) return null;
  const { keys, created } = pluginKeys;
  const change = (next: PluginKeysView) => onChange({ ...account, pluginKeys: next });
  const remove = (keyId: string) => {
    hasRemoved.current = true;
    change(withoutKey(pluginKeys, keyId));
  };
  return (
    <>
      <ModalTitle>{t('pluginKey.title')}</ModalTitle>
      <ModalLead>
        <p>{t('pluginKey.lead')}</p>
      </ModalLead>
      {keys === null ? (
        <Unavailable />
      ) : (
        <>
          {created && <CreatedKey key={created.id} value={created.key} />}
          <CreateKeyForm pluginKeys={pluginKeys} onChange={change} />
          <Group title={t('pluginKey.keys')}>
            <div ref={list} tabIndex={-1}>
              {keys.length === 0 ? (
                <p className="px-3 py-2 text-muted">{t('pluginKey.none')}</p>
              ) : (
                <ul className="flex flex-col gap-1">
                  {keys.map((key) => (
                    <KeyRow
                      key={key.id}
                      value={key}
                      onSaved={(changed) => change(withChanged(pluginKeys, changed))}
                      onRevoked={() => remove(key.id)}
                    />
                  ))}
                </ul>
              )}
            </div>
          </Group>
        </>
      )}
      <Group>
        <AppLink to={USAGE_ADDRESS} className={ROW}>
          <RowContents icon={ChartColumn}>{t('pluginKey.usage')}</RowContents>
        </AppLink>
        <AppLink to={WEBHOOKS_ADDRESS} className={ROW}>
          <RowContents icon={Webhook}>{t('pluginKey.webhooks')}</RowContents>
        </AppLink>
      </Group>
      <Group title={t('pluginKey.use.title')}>
        <HowToUseKey apiUrl={pluginKeys.apiUrl} />
      </Group>
    </>
  );
}

function Unavailable() {
  const { t } = useTranslation(['account', 'common']);
  return (
    <>
      <Notice>{t('pluginKey.unavailable')}</Notice>
      <AppLink
        to={accountAddress('pluginKey')}
        reloadDocument
        className={`self-start ${buttonClass('primary', 'small')} min-h-11`}
      >
        {t('common:tryAgain')}
      </AppLink>
    </>
  );
}

interface KeyRowProps {
  readonly value: PluginKeyView;
  readonly onSaved: (value: PluginKeyView) => void;
  readonly onRevoked: () => void;
}

function KeyRow({ value, onSaved, onRevoked }: KeyRowProps) {
  const { id, kind, name, prefix, createdAt, expiresAt, isExpired, lastUsedAt, lastUsedIp, deviceId } = value;
  const { t } = useTranslation('account');
  const { show } = useToast();
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-3 py-2">
      <div className="min-w-0 flex-1 basis-48">
        {name !== null && (
          <p className="font-medium wrap-anywhere">
            <bdi>{name}</bdi>
          </p>
        )}
        <p className="flex flex-wrap items-center gap-x-2 font-mono font-medium">
          <bdi lang="en">{prefix}</bdi>
          {kind === 'test' && (
            <span className="font-sans">
              <Badge variant="beta">{t('pluginKey.test')}</Badge>
            </span>
          )}
        </p>
        <ul className="text-sm text-muted">
          <li>{t(`pluginKey.kind.${kind}`)}</li>
          <li>
            <time dateTime={createdAt.iso}>{t('pluginKey.created', { date: createdAt.text })}</time>
          </li>
          <li>
            {lastUsedAt ? (
              <time dateTime={lastUsedAt.iso}>{t('pluginKey.lastUsed', { date: lastUsedAt.text })}</time>
            ) : (
              t('pluginKey.neverUsed')
            )}{' '}
            {lastUsedIp !== null && <bdi dir="ltr">{lastUsedIp}</bdi>}
          </li>
          {expiresAt && (
            <li className={isExpired ? 'text-danger' : ''}>
              <time dateTime={expiresAt.iso}>
                {t(isExpired ? 'pluginKey.expired' : 'pluginKey.expires', { date: expiresAt.text })}
              </time>
            </li>
          )}
          <li className="wrap-anywhere">
            {deviceId === null ? t('pluginKey.anyDevice') : t('pluginKey.oneDevice')}{' '}
            {deviceId !== null && <bdi>{deviceId}</bdi>}
          </li>
        </ul>
      </div>
      <ModalLink
        modal="plugin-key:edit"
        with={{ value, onSaved }}
        label={t('pluginKey.edit.label', { prefix })}
        onClose={(outcome) => {
          if (outcome === 'saved') show(t('pluginKey.saved'));
        }}
        className={`${buttonClass('quiet', 'small')} min-h-11`}
      >
        {t('pluginKey.edit.action')}
      </ModalLink>
      <ModalLink
        modal="plugin-key:revoke"
        with={{ id, prefix }}
        label={t('pluginKey.revoke.label', { prefix })}
        onClose={(outcome) => {
          if (outcome !== 'revoked') return;
          onRevoked();
          show(t('pluginKey.revoked'));
        }}
        className={`${buttonClass('quiet', 'small')} min-h-11`}
      >
        {t('pluginKey.revoke.action')}
      </ModalLink>
    </li>
  );
}
