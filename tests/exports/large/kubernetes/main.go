// Holds YAML documents against what an API server of Kubernetes and Kueue's own definitions accept.
//
//	kubernetes FOLDER < documents.yaml
//
// FOLDER has Kueue's CustomResourceDefinitions. Prints a line for each fault and ends with 1 if there is one;
// prints how many documents there were if not.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	core "k8s.io/api/core/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	extensions "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	names "k8s.io/apimachinery/pkg/api/validation"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	kinds "k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	documents "k8s.io/apimachinery/pkg/util/yaml"
	budget "k8s.io/apiserver/pkg/apis/cel"
	kueue "sigs.k8s.io/kueue/apis/kueue/v1beta2"
	"sigs.k8s.io/yaml"
)

func main() {
	definitions, err := readDefinitions(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{core.AddToScheme, kueue.AddToScheme} {
		if err := add(scheme); err != nil {
			panic(err)
		}
	}
	strict := json.SerializerOptions{Yaml: true, Strict: true} // unknown and duplicate fields are refused
	decoder := json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme, scheme, strict)
	reader := documents.NewYAMLReader(bufio.NewReader(os.Stdin))
	count, faults := 0, 0
	for {
		text, err := reader.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil && isEmpty(text) {
			continue
		}
		count++
		for _, fault := range judge(text, decoder, definitions) {
			fmt.Printf("document %d: %v\n", count, fault)
			faults++
		}
	}
	if faults > 0 {
		os.Exit(1)
	}
	fmt.Println(count)
}

// A comment before the first mark makes a document of its own.
func isEmpty(text []byte) bool {
	var content any
	return yaml.Unmarshal(text, &content) == nil && content == nil
}

func judge(text []byte, decoder runtime.Decoder, definitions map[kinds.GroupVersionKind]definition) []error {
	object, kind, err := decoder.Decode(text, nil, nil)
	if err != nil {
		return []error{err}
	}
	at := field.NewPath("metadata")
	found := names.ValidateObjectMetaAccessor(object.(meta.Object), false, names.NameIsDNSSubdomain, at)
	if kind.Group == kueue.GroupVersion.Group {
		own, ok := definitions[*kind]
		if !ok {
			return []error{fmt.Errorf("%v is not served", kind)}
		}
		found = append(found, own.judge(text)...)
	}
	faults := make([]error, 0, len(found))
	for _, fault := range found {
		faults = append(faults, fault)
	}
	return faults
}

// One version of a resource, as the API server knows it.
type definition struct {
	structure *schema.Structural
	schema    validation.SchemaValidator
	rules     *cel.Validator
}

func (own definition) judge(text []byte) field.ErrorList {
	var content map[string]any
	if err := yaml.Unmarshal(text, &content); err != nil {
		return field.ErrorList{field.InternalError(nil, err)}
	}
	found := validation.ValidateCustomResource(nil, content, own.schema)
	if len(found) > 0 { // rules are evaluated over what has the right form
		return found
	}
	broken, _ := own.rules.Validate(
		context.Background(), nil, own.structure, content, nil, budget.RuntimeCELCostBudget)
	return broken
}

func readDefinitions(folder string) (map[kinds.GroupVersionKind]definition, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("%s has no definitions: %v", folder, err)
	}
	found := map[kinds.GroupVersionKind]definition{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		var resource extensions.CustomResourceDefinition
		if err := yaml.Unmarshal(text, &resource); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		for _, version := range resource.Spec.Versions {
			if !version.Served {
				continue
			}
			kind := kinds.GroupVersionKind{
				Group: resource.Spec.Group, Version: version.Name, Kind: resource.Spec.Names.Kind}
			if found[kind], err = understood(version.Schema); err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
		}
	}
	return found, nil
}

func understood(written *extensions.CustomResourceValidation) (definition, error) {
	var plain apiextensions.CustomResourceValidation
	if err := extensions.Convert_v1_CustomResourceValidation_To_apiextensions_CustomResourceValidation(
		written, &plain, nil); err != nil {
		return definition{}, err
	}
	structure, err := schema.NewStructural(plain.OpenAPIV3Schema)
	if err != nil {
		return definition{}, err
	}
	checker, _, err := validation.NewSchemaValidator(plain.OpenAPIV3Schema)
	rules := cel.NewValidator(structure, true, budget.PerCallLimit)
	return definition{structure, checker, rules}, err
}
