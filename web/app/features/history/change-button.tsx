import CircleX from 'lucide-react/icons/circle-x';
import RotateCw from 'lucide-react/icons/rotate-cw';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/controls/button';
import { type Change, useChange } from './changes';

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
