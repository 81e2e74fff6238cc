import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';
import type { Messages } from '../../i18n/messages';
import { ToggleTooltip } from '../../ui/controls/toggle-tooltip';

interface ToolTooltipProps {
  readonly of: keyof Messages['result']['panel']['tips'];
  readonly title: string;
  readonly children: ReactElement;
}

/** Says and shows what a toggle of the editor does. The clips are made by tests/samples. */
export function ToolTooltip({ of, title, children }: ToolTooltipProps) {
  const { t } = useTranslation('result');
  return (
    <ToggleTooltip mediaUrl={`/samples/tool-${of}.mp4`} title={title} body={t(`panel.tips.${of}`)} isInPanel>
      {children}
    </ToggleTooltip>
  );
}
