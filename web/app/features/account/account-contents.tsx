import { type ComponentType, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type AccountSection, type AccountTab, tabOf } from '../../session/account-tabs';
import { track } from '../../telemetry/telemetry';
import { ModalTabs } from '../../ui/modal/modal-tabs';
import type { ModalHandle } from '../modals/catalogue';
import type { AccountView } from './account-view.server';
import { GeneralPanel } from './general-panel';
import { LimitsPanel } from './limits-panel';
import type { PanelProps } from './panel';
import { PluginKeyPanel } from './plugin-key-panel';
import { PrivacyPanel } from './privacy-panel';
import { SubscriptionPanel } from './subscription-panel';

const PANELS: Readonly<Record<AccountTab, ComponentType<PanelProps>>> = {
  general: GeneralPanel,
  subscription: SubscriptionPanel,
  limits: LimitsPanel,
  pluginKey: PluginKeyPanel,
};

interface AccountContentsProps {
  readonly section: AccountSection;
  readonly account: AccountView;
  readonly onChange: (account: AccountView) => void;
  readonly modal: ModalHandle<'user:account'>;
}

export function AccountContents({ section, account, onChange, modal }: AccountContentsProps) {
  const { t } = useTranslation('account');
  const selected = tabOf(section);
  const Panel = section === 'privacy' && account.privacy ? PrivacyPanel : PANELS[selected];
  const contents = useFocusOnStep(section);
  return (
    <ModalTabs<AccountTab>
      label={t('tabs')}
      tabs={account.tabs.map((tab) => ({
        key: tab,
        label: t(`${tab}.title`),
        address: modal.addressOf({ tab }),
      }))}
      selected={selected}
      onTap={(tab) => track('settings', { action: `${tab}_tapped` })}
      onSelect={(tab) => modal.change({ tab })}
    >
      <div ref={contents} className="flex flex-col gap-5 wrap-break-word">
        <Panel account={account} onChange={onChange} modal={modal} />
      </div>
    </ModalTabs>
  );
}

function useFocusOnStep(section: AccountSection) {
  const contents = useRef<HTMLDivElement>(null);
  const before = useRef(section);
  useEffect(() => {
    const isStep = before.current !== section && tabOf(before.current) === tabOf(section);
    before.current = section;
    if (isStep) contents.current?.querySelector<HTMLElement>('[data-step]')?.focus();
  }, [section]);
  return contents;
}
