/**
 * Lets a plain Node process of a test run our TypeScript sources: Node strips the types itself, and this hook finds
 * the .ts file behind an import that ends in .js. Used with --import.
 */
import { registerHooks } from 'node:module';

registerHooks({
  resolve(specifier, context, next) {
    const own = specifier.startsWith('.') && context.parentURL?.endsWith('.ts');
    return next(own ? specifier.replace(/\.js$/, '.ts') : specifier, context);
  },
});
