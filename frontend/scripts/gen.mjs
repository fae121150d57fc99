for (const part of ['messages', 'intl', 'fonts', 'api']) await import(`./gen-${part}.mjs`)
