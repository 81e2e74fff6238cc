import {
  cloneElement,
  type FocusEvent,
  type PointerEvent,
  type ReactElement,
  useEffect,
  useRef,
  useState,
} from 'react';
import type { ToggleTooltipBox } from './toggle-tooltip-box';
import { useHoverIntent } from './use-hover-intent';

interface ToggleTooltipProps {
  /** URL of a short demonstration video. */
  readonly mediaUrl: string;
  readonly title: string;
  readonly body: string;
  /** In a side panel: beside it where the screen is wide, so that it covers no other control. */
  readonly isInPanel?: boolean;
  /** The control, which must forward props to a focusable element. */
  readonly children: ReactElement;
}

/** Its 30 kB are loaded when the first tooltip is about to open. */
let loading: Promise<typeof ToggleTooltipBox> | undefined;
const loadBox = (): Promise<typeof ToggleTooltipBox> => {
  loading ??= import('./toggle-tooltip-box').then(
    ({ ToggleTooltipBox }) => ToggleTooltipBox,
    (error) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
};

/** Without JavaScript the text is below the toggle. */
export function ToggleTooltip({ mediaUrl, title, body, isInPanel = false, children }: ToggleTooltipProps) {
  const { isOpen, close, trigger, triggerEvents, contentEvents, isTrigger, theme } = useHoverIntent();
  const [Box, setBox] = useState<typeof ToggleTooltipBox | null>(null);
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const load = () => {
    loadBox().then(
      (loaded) => isShown.current && setBox(() => loaded),
      // Without a connection there is no tooltip.
      () => {},
    );
  };
  return (
    <>
      {cloneElement(children, {
        ...triggerEvents,
        onPointerEnter: (event: PointerEvent) => {
          load();
          triggerEvents.onPointerEnter(event);
        },
        onFocus: (event: FocusEvent) => {
          load();
          triggerEvents.onFocus(event);
        },
      })}
      <p className="text-sm text-muted js:hidden">{body}</p>
      {isOpen && Box && trigger.current && (
        <Box
          anchor={trigger.current}
          theme={theme()}
          isInPanel={isInPanel}
          title={title}
          body={body}
          mediaUrl={mediaUrl}
          onClose={close}
          isTrigger={isTrigger}
          contentEvents={contentEvents}
        />
      )}
    </>
  );
}
