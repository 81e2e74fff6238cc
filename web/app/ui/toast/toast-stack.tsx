import CircleCheck from 'lucide-react/icons/circle-check';
import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import { Toast as Primitive } from 'radix-ui';
import { type Toast, type ToastLabels, useToast } from './toast-list';

interface ToastStackProps {
  readonly toasts: readonly Toast[];
  readonly labels: ToastLabels;
}

/** Toasts, the newest nearest to the edge. Hover and focus pause their timers. */
export function ToastStack({ toasts, labels }: ToastStackProps) {
  const { dismiss } = useToast();
  return (
    <Primitive.Provider label={labels.one} swipeDirection="down">
      {toasts.map(({ id, text, kind, durationMs }) => {
        const Icon = kind === 'done' ? CircleCheck : CircleAlert;
        return (
          <Primitive.Root
            key={id}
            type="background"
            duration={durationMs}
            onOpenChange={(isOpen) => !isOpen && dismiss(id)}
            className="toast"
          >
            <Icon aria-hidden className={`size-5 shrink-0 ${kind === 'done' ? 'opacity-60' : 'text-toast-alert'}`} />
            <Primitive.Description className="min-w-0 text-pretty">{text}</Primitive.Description>
          </Primitive.Root>
        );
      })}
      <Primitive.Viewport label={labels.region} className="toast-viewport" />
    </Primitive.Provider>
  );
}
