import { useTranslation } from 'react-i18next';
import type { FLASHES, FlashName } from '../../session/account-flashes';
import { FlashNotice } from '../../ui/toast/flash-notice';
import { useAfterPurchase } from '../consents/use-after-purchase';

interface AccountFlashProps {
  readonly flash: {
    readonly id: string;
    readonly message: (typeof FLASHES)[FlashName];
    readonly delayMs: number;
    readonly isLasting: boolean;
  } | null;
}

export function AccountFlash({ flash }: AccountFlashProps) {
  const { t } = useTranslation('account');
  useAfterPurchase(flash);
  if (!flash) return null;
  return (
    <div className="mx-auto w-full max-w-3xl px-5 sm:px-8">
      <FlashNotice id={flash.id} text={t(flash.message)} delayMs={flash.delayMs} isLasting={flash.isLasting} />
    </div>
  );
}
