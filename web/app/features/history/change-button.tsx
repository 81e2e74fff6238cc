import { useLocation } from '@remix-run/react';
import CircleX from 'lucide-react/icons/circle-x';
import RotateCw from 'lucide-react/icons/rotate-cw';
import { createContext, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { preserveVersionParam, RETURN_PARAMETER } from '../../http/internal-address';
import { Button } from '../../ui/controls/button';

export const CHANGE_PATH = '/history/change';

export const CHANGES = ['retry', 'cancel'] as const;
type Change = (typeof CHANGES)[number];

/** Address of the change that is being submitted. */
export const ChangesContext = createContext<string | null>(null);

/** The form action that changes a photo and returns to this page. Its query names the photo, because the form sends the selected ones. */
function useChange(change: Change, taskId: string): { readonly address: string; readonly isPending: boolean } {
  const { pathname, search } = useLocation();
  const query = new URLSearchParams({ intent: change, taskId, [RETURN_PARAMETER]: `${pathname}${search}` });
  const address = preserveVersionParam(`${CHANGE_PATH}?${query}`, search);
  return { address, isPending: useContext(ChangesContext) === address };
}

interface ChangeButtonProps {
  readonly change: Change;
  readonly taskId: string;
  readonly name: string;
}

export function ChangeButton({ change, taskId, name }: ChangeButtonProps) {
  const { t } = useTranslation('common');
  const { address, isPending } = useChange(change, taskId);
  const Icon = change === 'retry' ? RotateCw : CircleX;
  return (
    <Button
      kind="quiet"
      size="small"
      type="submit"
      formMethod="post"
      formAction={address}
      disabled={isPending}
      aria-busy={isPending || undefined}
      className="relative z-1 min-h-11 self-start text-start"
    >
      <Icon aria-hidden className="size-4" />
      {change === 'retry' ? t('tryAgain') : t('cancel')}
      <span className="sr-only">{name}</span>
    </Button>
  );
}
