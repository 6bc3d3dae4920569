"""Rules that are compiled for kernels alone: quick to compile, by way of less public parts of Numba.

Numba by itself links every function with all that it calls, optimises it and turns it into machine code, two thirds of
the time of a first use, though only the kernels' machine code ever runs. A `Rule` keeps just its own LLVM code. What
calls it gathers the code of all rules below it, each once, and optimises the whole. `core/compile.py` imports this
module for the versions of Numba that it was tried with, and does without it for others.
"""

from __future__ import annotations

import functools
import importlib
import operator
import types
from collections.abc import Callable
from typing import Any

import llvmlite.binding
import numba
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.compiler import Compiler
from numba.core.registry import CPUDispatcher


class _RuleLibrary(JITCodeLibrary):
    """The LLVM code of one rule."""

    environment: Any
    returns: Any

    def _optimize_functions(self, ll_module: Any) -> None:
        """As Numba does, but not for the many declarations."""
        ll_module.data_layout = self._codegen._data_layout
        for function in ll_module.functions:
            if not function.is_declaration:
                passes, builder = self._codegen._function_pass_manager()
                passes.run(function, builder)

    def finalize(self) -> None:
        self._raise_if_finalized()
        if any(g.name.startswith(RuntimeLinker.PREFIX) for g in self._final_module.global_variables):
            raise TypeError(f"{self.name}: rules may not call each other in a circle")
        for library in self._linking_libraries:
            self._reload_init.update(library._reload_init)
        self._finalized = True
        self._alone = self._final_module.clone()  # for others to link, any number of times
        for function in self._alone.functions:
            if not function.is_declaration and function.linkage == llvmlite.binding.Linkage.external:
                function.linkage = "linkonce_odr"

    def _below(self, found: dict[Any, None]) -> dict[Any, None]:
        """All libraries that this one needs, directly or not, each once and after all that it needs itself."""
        for library in self._linking_libraries:
            if library not in found:
                if isinstance(library, _RuleLibrary):
                    library._below(found)
                found[library] = None
        return found

    def _get_module_for_linking(self) -> Any:
        """What a kernel links: this rule and everything below."""
        if self._shared_module is None:
            below = list(self._below({}))
            self._place_environments([self, *(library for library in below if isinstance(library, _RuleLibrary))])
            if self._counts_even():
                _drop_counts(self._final_module)
            for library in reversed(below):  # callers first: LLVM leaves out what nothing that is there calls
                alone = isinstance(library, _RuleLibrary)
                part = library._alone if alone else library._get_module_for_linking()
                if alone and library._counts_even():
                    _drop_counts(part)
                self._final_module.link_in(part, preserve=True)
            missing = [f.name for f in self._final_module.functions if f.is_declaration and f.name.startswith("_ZN")]
            assert not missing, missing  # a call of one would end the process
        return super()._get_module_for_linking()

    def _counts_even(self) -> bool:
        """Whether all references that the rule counts up it also counts down, so that it need not count.

        It makes no array, is handed none by what it calls, and returns none: it only hands on what it was given.
        """
        called = [library for library in self._linking_libraries if isinstance(library, _RuleLibrary)]
        others = [library for library in self._linking_libraries if not isinstance(library, _RuleLibrary)]
        return all(_plain(rule.returns) for rule in [self, *called]) and not any(map(_allocates, [self, *others]))

    def _place_environments(self, libraries: list[Any]) -> None:
        """Give the Python objects of rules (a text to print) an address; without one their first use would hang."""
        engine = self._codegen._engine
        new = [e for e in (library.environment for library in libraries) if not engine.is_symbol_defined(e.env_name)]
        places = "".join(f'@"{e.env_name}" = common global ptr null, align 8\n' for e in new)
        engine.add_module(llvmlite.binding.parse_assembly(places))
        for e in new:
            self._codegen.set_env(e.env_name, e)


class _RuleCompiler(Compiler):
    """Numba's usual compiler, into a `_RuleLibrary` and without an entry point."""

    def define_pipelines(self) -> Any:
        state = self.state
        state.flags.no_compile = True
        state.library = _RuleLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        return super().define_pipelines()


class Rule(CPUDispatcher):
    """A function for other compiled functions to call; for calls from Python it is compiled once more, as usual."""

    def __init__(self, function: Callable[..., Any], flags: dict[str, Any]) -> None:
        options = {**flags, "nopython": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        super().__init__(function, targetoptions={**options, "boundscheck": None}, pipeline_class=_RuleCompiler)
        self._flags = flags

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Signed integers, constants too, all arrive as int64: one version of a rule in place of up to six."""
        args = tuple(_widened(a) for a in args)
        return super().get_call_template(args, {name: _widened(a) for name, a in kws.items()})

    def add_overload(self, cres: Any) -> None:
        """Let callers find the code: by any unique key, for which Numba takes the C function, here there is none."""
        cres = cres._replace(entry_point=object())
        cres.library.environment, cres.library.returns = cres.environment, cres.signature.return_type
        self.targetctx.insert_user_function(cres.entry_point, cres.fndesc, [cres.library])
        self.overloads[tuple(cres.signature.args)] = cres

    @functools.cached_property
    def _direct(self) -> Callable[..., Any]:
        f = self.py_func  # copied: Numba would take a rule that calls itself for one being compiled already
        copy = types.FunctionType(f.__code__, f.__globals__, f.__name__, f.__defaults__, f.__closure__)
        return numba.njit(**self._flags)(copy)  # type: ignore[no-any-return]

    def __reduce__(self) -> Any:
        """A rule is pickled as what it is called: module and name."""
        return _named, (self.py_func.__module__, self.py_func.__qualname__)

    def __deepcopy__(self, memo: Any) -> Rule:
        return self

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run it from Python."""
        return self._direct(*args, **kwargs)


def _named(module: str, name: str) -> Any:
    """The rule of a module."""
    return operator.attrgetter(name)(importlib.import_module(module))


_UNCOUNTED = "banquet_uncounted"
_NO_COUNT = "\n".join(
    f"define linkonce_odr void @{_UNCOUNTED}{k}(ptr %0) alwaysinline {{ ret void }}" for k in range(2)
)


def _drop_counts(module: Any) -> None:
    """Leave out the counting of references: atomic operations at every call that hands an array on."""
    functions = {function.name: function for function in module.functions}
    counting = [functions[name] for name in ("NRT_incref", "NRT_decref") if name in functions]
    for k, function in enumerate(counting):
        function.name = f"{_UNCOUNTED}{k}"
    if counting:
        module.link_in(llvmlite.binding.parse_assembly(_NO_COUNT))


def _allocates(library: Any) -> bool:
    """Whether a library of Numba's own asks for memory."""
    return any(f.name.startswith(("NRT_MemInfo_alloc", "NRT_Allocate")) for f in library._final_module.functions)


def _plain(kind: Any) -> bool:
    """Whether a type is a number, nothing, or a tuple of those."""
    if isinstance(kind, numba.types.BaseTuple):
        return all(_plain(k) for k in kind)
    return isinstance(kind, numba.types.Number | numba.types.Boolean | numba.types.NoneType)


def _widened(kind: Any) -> Any:
    return numba.types.int64 if isinstance(kind, numba.types.Integer) and kind.signed else kind
