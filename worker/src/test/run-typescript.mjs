/** Hook for `--import`: lets Node run our TypeScript sources by resolving `.js` imports to `.ts` files. */
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, next) {
    const own = specifier.startsWith('.') && context.parentURL?.endsWith('.ts');
    return next(own ? specifier.replace(/\.js$/, '.ts') : specifier, context);
  },
});
